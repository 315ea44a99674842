import { Screen } from "../ui/screen.tsx";

export const PostScreen = () => <Screen title="Post">{null}</Screen>;

import { Screen } from "../ui/screen.tsx";

export const CommentsScreen = () => <Screen title="Comments">{null}</Screen>;

import { Screen } from "../ui/screen.tsx";

export const PostsScreen = () => <Screen title="Posts">{null}</Screen>;

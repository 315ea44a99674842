import { Screen } from "../ui/screen.tsx";

export const HomeScreen = () => <Screen title="Home">{null}</Screen>;

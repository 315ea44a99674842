import { Screen } from "../ui/screen.tsx";

export const AccountScreen = () => <Screen title="Account">{null}</Screen>;

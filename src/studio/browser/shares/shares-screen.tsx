import { Screen } from "../ui/screen.tsx";

export const SharesScreen = () => <Screen title="Shares">{null}</Screen>;

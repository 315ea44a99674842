import { Screen } from "../ui/screen.tsx";

export const ActivityScreen = () => <Screen title="Activity">{null}</Screen>;

import { Screen } from "../ui/screen.tsx";

export const StorageScreen = () => <Screen title="Storage">{null}</Screen>;

import { Screen } from "../ui/screen.tsx";

export const TrashScreen = () => <Screen title="Trash">{null}</Screen>;

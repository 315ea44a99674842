import { Screen } from "../ui/screen.tsx";

export const FilesScreen = () => <Screen title="Files">{null}</Screen>;

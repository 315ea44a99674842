import { Screen } from "../ui/screen.tsx";

export const PhotosScreen = () => <Screen title="Photos">{null}</Screen>;

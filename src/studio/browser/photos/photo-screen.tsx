import { Screen } from "../ui/screen.tsx";

export const PhotoScreen = () => <Screen title="Photo">{null}</Screen>;

import { Screen } from "../ui/screen.tsx";

export const AlbumScreen = () => <Screen title="Album">{null}</Screen>;

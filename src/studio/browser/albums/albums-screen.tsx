import { Screen } from "../ui/screen.tsx";

export const AlbumsScreen = () => <Screen title="Albums">{null}</Screen>;

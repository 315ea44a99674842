import { Screen } from "../ui/screen.tsx";

export const PeopleScreen = () => <Screen title="People">{null}</Screen>;

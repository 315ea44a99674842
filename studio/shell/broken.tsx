import type { ErrorComponentProps } from "@tanstack/react-router";
import { Failure } from "../ui/screen.tsx";

/** In place of a screen that could not be loaded, also because its script could not. */
export const Broken = ({ error }: ErrorComponentProps) => (
  <div className="mx-auto max-w-5xl p-4 md:p-8">
    <Failure error={error} retry={() => location.reload()} />
  </div>
);

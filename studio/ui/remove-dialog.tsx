import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";

type Props = {
  title: string;
  action: string;
  cancel?: string;
  isDisabled?: boolean;
  act: () => Promise<unknown>;
  onDone?: () => void;
  onSettled: () => unknown;
  onClose: () => void;
  children: ReactNode;
};

/** Asks before something is done that cannot be undone, and closes when it is. */
export function RemoveDialog(props: Props) {
  const { title, action, act, onDone, onSettled, onClose, children, ...rest } = props;
  const { mutate, isPending } = useMutation({
    mutationFn: act,
    onSuccess() {
      onDone?.();
      onClose();
    },
    onSettled,
  });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => mutate()}
      submit={{ label: action, isDanger: true, isBusy: isPending, ...rest }}
    >
      {children}
    </Dialog>
  );
}

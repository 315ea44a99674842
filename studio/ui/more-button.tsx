import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { words } from "../lib/words.ts";
import { Button } from "./button.tsx";

type Props = {
  of: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
  label?: string;
  className?: string;
};

/** Loads the next page of a list, if there is one. */
export const MoreButton = ({ of, label = words.loadMore, ...rest }: Props) =>
  of.hasNextPage && (
    <Button {...rest} isBusy={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
      {label}
    </Button>
  );

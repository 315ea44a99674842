import { queryOptions } from "@tanstack/react-query";
import { api } from "../lib/api.ts";

/** The pictures that guests have sent through one link. */
export const waitingQuery = (shareID: number) =>
  queryOptions({
    queryKey: ["shares", "uploads", shareID],
    queryFn: ({ signal }) => api.listShareUploads({ id: shareID }, { signal }),
  });

import { queryOptions } from "@tanstack/react-query";
import { api } from "../lib/api.ts";

export const ownMailQuery = queryOptions({
  queryKey: ["mail", "own"],
  queryFn: ({ signal }) => api.readOwnMail({}, { signal }),
});

export const mailStateQuery = queryOptions({
  queryKey: ["mail", "state"],
  queryFn: ({ signal }) => api.readMailState({}, { signal }),
});

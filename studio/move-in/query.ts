import { queryOptions } from "@tanstack/react-query";
import type { Import } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { queries } from "../lib/queries.ts";

const pollMs = 1500;

export const isWorking = ({ status }: Import): boolean => status === "running" || status === "undoing";

/** The newest ones. No event reports the progress of an import. */
export const importsQuery = queryOptions({
  queryKey: ["imports"],
  queryFn: async ({ signal }) => {
    const { items } = await api.listImports({ origin: "elsewhere", cursor: "", pageSize: 50 }, { signal });
    return items;
  },
  refetchInterval: ({ state }) => (state.data?.some(isWorking) ? pollMs : false),
});

export const importQuery = (id: number) =>
  queryOptions({
    queryKey: ["imports", id],
    queryFn: ({ signal }) => api.readImport({ id }, { signal }),
    refetchInterval: ({ state }) => (state.data && isWorking(state.data) ? pollMs : false),
  });

/** Each person has a directory for what they want to import, which no one else sees. */
const directoryName = (username: string): string => `Archives of ${username}`;
export const archiveDirectory = (username: string): string => `/${directoryName(username)}`;

export const archivesQuery = (username: string) =>
  queryOptions({
    queryKey: ["files", "archives", username],
    async queryFn({ signal }) {
      // Directories come first.
      const { items: top } = await api.listDirectory({ path: "/", cursor: "", pageSize: 1000 }, { signal });
      if (!top.some(({ name }) => name === directoryName(username))) return [];
      const path = archiveDirectory(username);
      const { items } = await api.listDirectory({ path, cursor: "", pageSize: 100 }, { signal });
      return items.filter(({ isDirectory }) => !isDirectory);
    },
  });

export const reloadImports = () => queries.invalidateQueries({ queryKey: ["imports"] });
export const reloadArchives = () => queries.invalidateQueries({ queryKey: ["files"] });

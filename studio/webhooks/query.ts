import { queryOptions } from "@tanstack/react-query";
import type { Webhook } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { queries } from "../lib/queries.ts";

export const webhooksQuery = queryOptions({
  queryKey: ["webhooks", "list"],
  queryFn: ({ signal }) => api.listWebhooks({}, { signal }),
});

export const reloadWebhooks = () => queries.invalidateQueries({ queryKey: ["webhooks"] });

/** How a webhook is called in a few words. */
export const hostOf = ({ url }: Pick<Webhook, "url">): string => new URL(url).host;

import { summarize } from "../../core/holdings/summary.ts";
import type { Notice } from "../../core/records/notice.ts";
import type { Module } from "../../module.ts";
import { beginTopic } from "./newest.ts";
import { sendNotices } from "./send.ts";

const everyMs = 5 * 60_000;

/** Tells people by mail what they have chosen to be told. */
export const noticesModule: Module = {
  reactions: { topicChosen: beginTopic },
  open({ db, secret, config, holdings, disk, modules }) {
    if (!config.mail) return {};
    const notices = Object.assign({}, ...modules.map(({ notices }) => notices)) as Record<string, Notice>;
    const countBytes = async () => summarize((await holdings.read()).site).bytes;
    const source = { db, disk, quotaBytes: config.quotaBytes, countBytes };
    const uses = { secret, baseURL: config.baseURL, source, notices };
    return { jobs: [{ name: "notices", everyMs, run: () => sendNotices(db, uses) }] };
  },
};

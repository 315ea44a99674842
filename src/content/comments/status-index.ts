import { sql } from "../../platform/database/sql.ts";

/** The condition of the index by status, which a statement has to state to be read from it. Few comments meet it. */
export const isInStatusIndex = sql`comments.status <> 'visible'`;

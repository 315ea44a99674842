/** Set as METRICS_TOKEN of a server whose statements are counted. */
export const metricsToken = "a token for the metrics";

export type DatabaseCost = { statements: number; roundTrips: number };

/** How many statements and round trips the server has sent so far. */
export async function readDatabaseCost(url: string): Promise<DatabaseCost> {
  const response = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } });
  const text = await response.text();
  const read = (name: string) => Number(new RegExp(`^vitrine_database_${name}_total (\\d+)`, "m").exec(text)?.[1]);
  return { statements: read("statements"), roundTrips: read("round_trips") };
}

/** The least of a few attempts, because background work can only add to them. */
export async function measureDatabaseCost(
  url: string,
  attempts: number,
  send: () => Promise<unknown>,
): Promise<DatabaseCost> {
  const costs: DatabaseCost[] = [];
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = await readDatabaseCost(url);
    await send();
    const after = await readDatabaseCost(url);
    costs.push({ statements: after.statements - before.statements, roundTrips: after.roundTrips - before.roundTrips });
  }
  return {
    statements: Math.min(...costs.map((one) => one.statements)),
    roundTrips: Math.min(...costs.map((one) => one.roundTrips)),
  };
}

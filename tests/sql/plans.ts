import type { Database } from "../../src/platform/database/database.ts";
import { type Sql, sql } from "../../src/platform/database/sql.ts";

/** How the engine runs a statement: what it reads by which index, and what it sorts; one line per step. */
export function explainPlan(db: Database, query: Sql): Promise<string[]> {
  return db.engine === "sqlite" ? explainSqlite(db, query) : explainPostgres(db, query);
}

async function explainSqlite(db: Database, query: Sql): Promise<string[]> {
  const steps = await db.all<{ id: number; parent: number; detail: string }>(sql`EXPLAIN QUERY PLAN ${query}`);
  const depths = new Map<number, number>();
  return steps.map(({ id, parent, detail }) => {
    const depth = (depths.get(parent) ?? -1) + 1;
    depths.set(id, depth);
    return "  ".repeat(depth) + detail;
  });
}

type Plan = {
  "Node Type": string;
  "Subplan Name"?: string;
  "Join Type"?: string;
  "Scan Direction"?: string;
  "Index Name"?: string;
  "Relation Name"?: string;
  "CTE Name"?: string;
  "Sort Key"?: string[];
  Plans?: Plan[];
};

async function explainPostgres(db: Database, query: Sql): Promise<string[]> {
  const [explained] = await db.all<{ "QUERY PLAN": { Plan: Plan }[] }>(sql`EXPLAIN (FORMAT JSON) ${query}`);
  const lines: string[] = [];
  for (const { Plan: top } of explained?.["QUERY PLAN"] ?? []) visit(top, "");
  return lines;

  function visit(plan: Plan, indent: string): void {
    // Whether results are cached depends on the values.
    if (plan["Node Type"] === "Memoize") return plan.Plans?.forEach((below) => visit(below, indent));
    const { "Join Type": join, "Scan Direction": direction, "Relation Name": table, "Index Name": index } = plan;
    const words = [
      plan["Subplan Name"] && `${plan["Subplan Name"]}:`,
      // Of two joins of a table with itself by its key, either may read the index alone: both cost the same.
      index?.endsWith("_pkey") ? plan["Node Type"].replace(" Only", "") : plan["Node Type"],
      join && join !== "Inner" && `(${join})`,
      direction === "Backward" && "backward",
      index && `using ${index}`,
      table && `on ${table}`,
      plan["CTE Name"] && `on ${plan["CTE Name"]}`,
      plan["Sort Key"] && `by ${plan["Sort Key"].join(", ").replaceAll(/'[^']*'(::\w+)?/g, "?")}`,
    ];
    lines.push(indent + words.filter(Boolean).join(" "));
    for (const below of plan.Plans ?? []) visit(below, `${indent}  `);
  }
}

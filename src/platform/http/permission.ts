import { forbidden, notOwner } from "../errors.ts";
import { type Caller, mayActAs, type Route } from "./route.ts";

/** The step `permission`: whether the caller has the role, and may do this with the record (403). */
export function checkPermission({ role, may }: Route, caller: Caller | null, record: unknown): void {
  if (caller && role && !mayActAs(caller, role)) throw forbidden(`This requires the ${role} role.`);
  if (may && !may(caller, record)) throw notOwner();
}

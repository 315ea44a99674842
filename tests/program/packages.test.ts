import { expect, test } from "bun:test";
import lock from "../../package-lock.json";

type Package = { version?: string; resolved?: string; engines?: { node?: string } };
const packages = Object.entries(lock.packages as Record<string, Package>);

test("every package that npm installs accepts Node 20", () => {
  const refused = packages.filter(([, { engines }]) => engines?.node && !Bun.semver.satisfies("20.19.0", engines.node));
  expect(refused.map(([name, { engines }]) => `${name}: ${engines?.node}`)).toEqual([]);
});

test("the lock file names no registry", () => {
  expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});

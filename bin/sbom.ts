// The packages that Vitrine is made of, as a bill of materials in the format CycloneDX 1.6.

/** What the lock file says of a package. */
type Locked = {
  version?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
};
export type Lock = { packages: Record<string, Locked> };

/**
 * Packages for development are listed, too: part of them is built into the files for browsers. The same lock file gives the
 * same text.
 */
export function describePackages({ packages }: Lock, name: string, version: string) {
  const root = purlOf(name, version);
  const installed = Object.entries(packages).filter(([path]) => path !== "");
  const known = new Map(installed.map(([path, locked]) => [path, purlOf(nameOf(path), locked.version ?? "")]));
  // Two copies of one version are one package.
  const unique = new Map(installed.map(([path, locked]) => [known.get(path) ?? "", { path, locked }]));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", "bom-ref": root, name, version, purl: root } },
    components: [...unique].map(([purl, { path, locked }]) => describePackage(purl, nameOf(path), locked)),
    dependencies: [
      { ref: root, dependsOn: findNeeded(known, "", packages[""] ?? {}) },
      ...[...unique].map(([ref, { path, locked }]) => ({ ref, dependsOn: findNeeded(known, path, locked) })),
    ],
  };
}

function describePackage(purl: string, name: string, { version = "", integrity, license, dev, optional }: Locked) {
  const content = integrity?.startsWith("sha512-") ? Buffer.from(integrity.slice(7), "base64").toString("hex") : null;
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    scope: optional ? "optional" : "required",
    ...(content && { hashes: [{ alg: "SHA-512", content }] }),
    // One that is not a single identifier is an expression.
    ...(license && { licenses: [/^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }] }),
    ...(dev && { properties: [{ name: "cdx:npm:package:development", value: "true" }] }),
  };
}

/** The packages that one needs, as npm finds them: in its own directory, and then in those above it. */
function findNeeded(known: Map<string, string>, path: string, locked: Locked): string[] {
  const names = [locked.dependencies, locked.optionalDependencies, locked.devDependencies].flatMap((each) =>
    Object.keys(each ?? {}),
  );
  const purls = names.flatMap((name) =>
    directoriesAbove(path)
      .flatMap((above) => known.get(above + name) ?? [])
      .slice(0, 1),
  );
  return [...new Set(purls)].toSorted();
}

/** From the innermost: `node_modules/a/node_modules/`, `node_modules/`. */
function directoriesAbove(path: string): string[] {
  const steps = path.split("node_modules/").slice(1);
  return Array.from({ length: steps.length + 1 }, (_, count) => {
    const parents = steps.slice(0, steps.length - count).map((step) => `node_modules/${step.replace(/\/$/, "")}/`);
    return `${parents.join("")}node_modules/`;
  });
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

const purlOf = (name: string, version: string) => `pkg:npm/${name.replace("@", "%40")}@${version}`;

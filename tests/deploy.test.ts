import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { version } from "../src/version.ts";

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), "utf8");
const config = read("src/config.ts");
const isVariable = (name: string) => config.includes(`"${name}"`);
/** DRAIN_SECONDS, and the time that running requests may take. */
const stopSeconds = 5 + 11;

describe("deploy/compose.scaling.yml", () => {
  const { services } = Bun.YAML.parse(read("deploy/compose.scaling.yml")) as any;

  test("every service is restarted, and waits until its dependencies are healthy", () => {
    for (const service of Object.values<any>(services)) {
      expect(service.restart).toBe("unless-stopped");
      for (const [name, { condition }] of Object.entries<any>(service.depends_on ?? {})) {
        expect([name, condition]).toEqual([name, "service_healthy"]);
        expect(services[name].healthcheck).toBeObject();
      }
    }
  });

  test("sets variables that exist, and allows enough time to stop", () => {
    const { environment, stop_grace_period } = services.vitrine;
    expect(Object.keys(environment).filter((name) => !isVariable(name))).toEqual([]);
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(stopSeconds);
  });
});

describe("deploy/kubernetes.yml", () => {
  const [{ spec: deployment }] = Bun.YAML.parse(read("deploy/kubernetes.yml")) as any;
  const { terminationGracePeriodSeconds, containers } = deployment.template.spec;
  const [container] = containers;

  test("uses this version and sets variables that exist", () => {
    expect(container.image).toEndWith(`:${version}`);
    expect(container.env.filter(({ name }: any) => !isVariable(name))).toEqual([]);
  });

  test("allows enough time to stop, and for migrations at the start", () => {
    const preStop = Number(container.lifecycle.preStop.exec.command[1]);
    expect(terminationGracePeriodSeconds).toBeGreaterThan(preStop + stopSeconds);
    const { periodSeconds, failureThreshold } = container.startupProbe;
    expect(periodSeconds * failureThreshold).toBe(300);
  });
});

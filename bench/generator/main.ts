import type { Job } from "./job.ts";
import { run } from "./run.ts";

// The process that generates the load. It is separate, so that its work does not count as work of the measuring
// process.
process.on("message", (job: Job) => {
  void run(job)
    .catch((error: Error) => ({ problem: error.message }))
    .then((outcome) => process.send?.(outcome));
});

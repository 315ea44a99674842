import { Problem } from "../../src/platform/errors.ts";

/** Another server cannot be read: what was imported stays, and the import can go on later. */
export class ServerGone extends Problem {
  /** Whether another key may help. */
  readonly isKeyRefused: boolean;

  constructor(message: string, isKeyRefused: boolean) {
    super("unavailable", message);
    this.isKeyRefused = isKeyRefused;
  }
}

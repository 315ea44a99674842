/** The picture cannot be decoded; the message says why. If the failure is permanent, trying again does not help. */
export class UnreadableImage extends Error {
  readonly isPermanent: boolean;

  constructor(message: string, isPermanent = true) {
    super(message);
    this.isPermanent = isPermanent;
  }
}

/** The picture cannot be decoded; the message says why. If the failure is permanent, trying again does not help. */
export class UnreadableImage extends Error {
  readonly isForGood: boolean;

  constructor(message: string, isForGood = true) {
    super(message);
    this.isForGood = isForGood;
  }
}

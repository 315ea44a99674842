/** The colours of coded pictures by their numbers in ITU-T H.273, where no profile describes them. */
export type Colours = { primaries: number; transfer: number };

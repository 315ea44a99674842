/** The uploads that are under way. */
export const UploadTray = () => null;

/** How an operation of the API is offered as a tool. Everything else follows from its declaration. */
export type Offer = {
  /** Instead of the summary of its declaration. */
  summary?: string;
  /** Instead of the details of its declaration. */
  details?: string;
  /** Sent unless the arguments say otherwise. */
  defaults?: Record<string, unknown>;
  /** Always sent. */
  fixed?: Record<string, string>;
  /** Fields that are not arguments. */
  without?: string[];
  /** Fields that are left out of what is returned. */
  hides?: string[];
  /** It takes nothing away and replaces nothing. */
  isAdding?: true;
  /** Calling it twice is the same as calling it once. */
  isRepeatable?: true;
  /** The tag of the record is returned, and can be sent with a change as `ifMatch`. */
  isTagged?: true;
};

/**
 * The operations that are tools, by their names. None of them deletes something, or has to do with accounts, keys, share links or
 * settings.
 */
export const offers: Record<string, Offer> = {
  search: { hides: ["titleHTML"], without: ["limit"] },
  readMe: {},

  listPosts: { without: ["sort", "order"] },
  readPost: { hides: ["html"], isTagged: true },
  createPost: {
    details:
      "Write Markdown. The post is a draft, which only its owner and admins can see, unless publishedAt says otherwise: publish only what you were asked to publish.",
    defaults: { publishedAt: null },
    hides: ["html"],
    isAdding: true,
  },
  changePost: {
    details:
      "Omitted fields keep their values. The earlier text remains in the revisions of the post. Send the etag of what you have read as ifMatch: then nothing is overwritten that was written since.",
    hides: ["html"],
    isTagged: true,
  },

  listPhotos: {},
  readPhoto: {},
  readPhotoImage: {
    details: "Returns the picture as a JPEG. For a video, it is its poster.",
    defaults: { w: "640" },
    without: ["v", "unedited"],
  },
  readOnThisDay: {},
  changePhoto: {},
  changePhotos: {
    details:
      "Tags, titles, visibility or albums of up to 1,000 photos in one transaction. Each id that was refused has its status and error.",
    without: ["trash", "withFile"],
  },

  listAlbums: {},
  readAlbum: {
    summary: "Read an album",
    details: "Without its photos.",
    fixed: { pageSize: "1" },
    without: ["page"],
    hides: ["photos"],
  },
  listAlbumPhotos: {},
  listChildAlbums: {},
  createAlbum: {
    details: "The album is private unless visibility says otherwise.",
    defaults: { visibility: "private" },
    isAdding: true,
  },
  changeAlbum: {},
  addAlbumPhoto: { isAdding: true, isRepeatable: true },
  moveAlbumPhotos: {},

  listDirectory: {},
  readFile: {},
  readContent: {
    details: "Returns the beginning of a text file, up to 100,000 bytes. Other files cannot be read here.",
    without: ["download", "original"],
  },
  createDirectory: { defaults: { visibility: "private" }, isAdding: true },
  changeFile: {},
  moveFile: {},

  listComments: {},
  readComment: {},
  createComment: { isAdding: true },
};

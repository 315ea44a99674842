// Generated from the OpenAPI document by `npm run client`: do not edit.
import type { Call, Download, IfMatch, Keyed, List, Shared } from "./types.ts";

export type SignUp = {
  /** Letters and digits of any script, and . _ - @ + */
  username: string;
  /** For admins, and for everyone if the setting `passwordRule` is `strong`: at least 8 characters, and not easy to guess, that is, neither very common nor with the username or the name of the site in it. */
  password: string;
  /** The token of an invitation: it opens a closed sign-up, and its role is that of the account. */
  invitation?: string | undefined;
};

export type PasswordSet = {
  message: string;
  /** Set if the password was accepted and is weak: why, and what to do. */
  warning?: string | undefined;
};

export type SignIn = {
  username: string;
  password: string;
};

export type SignedIn = {
  /** Send it as `Authorization: Bearer <token>`. */
  token: string;
  expiresAt: string;
  user: User;
};

/** A user account. Passwords are never returned. */
export type User = {
  id: number;
  username: string;
  role: "reader" | "author" | "admin";
  createdAt: string;
};

export type Message = {
  message: string;
};

export type OwnAccount = {
  id: number;
  username: string;
  role: "reader" | "author" | "admin";
  createdAt: string;
  /** Set if you have to set up a second factor before you can do anything else. */
  needsFactor?: boolean | undefined;
};

export type PasswordChange = {
  oldPassword: string;
  /** For admins, and for everyone if the setting `passwordRule` is `strong`: at least 8 characters, and not easy to guess, that is, neither very common nor with the username or the name of the site in it. */
  newPassword: string;
};

export type PasswordAgain = {
  password: string;
};

/** One sign-in: a token, or the session of a browser. */
export type SessionEntry = {
  id: number;
  /** When you signed in. */
  createdAt: string;
  /** When it was last used, to within an hour. */
  lastSeenAt: string;
  expiresAt: string;
  /** The browser and system, or the program, with which you signed in, if it is known. */
  client: string | null;
  /** The address from which you signed in, if it is known. Only you can see it. */
  address: string | null;
  /** Whether this request was sent in this session. */
  isCurrent: boolean;
};

export type SecondStep = {
  /** What the first step has answered with. */
  ticket: string;
  /** The six digits that the authenticator app shows, or a recovery code. */
  code: string;
};

/** Your second factors. */
export type Factors = {
  /** Since when codes of an authenticator app are asked for; null if they are not. */
  totpSince: string | null;
  recoveryCodesLeft: number;
  /** Whether your role needs a second factor here. */
  isRequired: boolean;
};

export type NewTOTP = {
  /** What the app needs, in base 32. Shown only now. */
  secret: string;
  /** The same as a link, which the app reads from a QR code. */
  uri: string;
};

export type FactorCode = {
  /** The six digits that the authenticator app shows, or a recovery code. */
  code: string;
};

export type ConfirmedFactor = {
  /** Made with the first second factor, and shown only now. Null if you have some already. */
  recoveryCodes: string[] | null;
};

export type PasswordAndCode = {
  password: string;
  /** The six digits that the authenticator app shows, or a recovery code. */
  code: string;
};

export type RecoveryCodeRenewal = {
  password: string;
  /** Needed if you use an authenticator app. */
  code?: string | undefined;
};

export type RecoveryCodes = {
  /** Shown only now. Each works once. */
  recoveryCodes: string[];
};

export type PasskeyRequest = {
  /** For the second step of a sign-in: what the first step has answered with. */
  ticket?: string | undefined;
};

/** For `PublicKeyCredential.parseRequestOptionsFromJSON` and `navigator.credentials.get`. */
export type PasskeyRequestOptions = {
  /** For one use, within ten minutes. */
  challenge: string;
  rpId: string;
  timeout: number;
  userVerification: "required" | "preferred";
  /** Empty if any passkey of the site will do. */
  allowCredentials: Array<{
    id: string;
    type: string;
    transports: string[];
  }>;
};

export type PasskeySignIn = {
  response: PasskeyAssertion;
  /** For the second step of a sign-in: what the first step has answered with. */
  ticket?: string | undefined;
};

/** What `navigator.credentials.get` has returned, as JSON (`toJSON()`). */
export type PasskeyAssertion = {
  id: string;
  rawId: string;
  type: string;
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string | null | undefined;
  };
};

/** A passkey with which you can sign in. */
export type Passkey = {
  id: number;
  /** At first, what is known of the device. */
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
  /** Whether it is also on other devices of the person, by a password manager. */
  isSynced: boolean;
  /** The host name of the site for which it was made. Under another name, browsers do not offer it. */
  site: string;
  /** Whether its counter went back, as it does if somebody has copied it. It is no longer accepted: remove it. */
  isCopied: boolean;
};

/** For `PublicKeyCredential.parseCreationOptionsFromJSON` and `navigator.credentials.create`. */
export type PasskeyCreationOptions = {
  rp: {
    id: string;
    name: string;
  };
  user: {
    id: string;
    name: string;
    displayName: string;
  };
  /** For one use, within ten minutes. */
  challenge: string;
  pubKeyCredParams: Array<{
    type: string;
    alg: number;
  }>;
  timeout: number;
  attestation: string;
  /** The passkeys that you have already. */
  excludeCredentials: Array<{
    id: string;
    type: string;
    transports: string[];
  }>;
  authenticatorSelection: {
    residentKey: string;
    requireResidentKey: boolean;
    userVerification: string;
  };
};

export type NewPasskey = {
  /** What `navigator.credentials.create` has returned, as JSON (`toJSON()`). */
  response: NewCredential;
  /** How you recognize it. */
  name?: string | undefined;
};

export type NewCredential = {
  id: string;
  rawId: string;
  type: string;
  response: {
    clientDataJSON: string;
    attestationObject: string;
    transports?: string[] | undefined;
  };
};

export type AddedPasskey = {
  id: number;
  /** At first, what is known of the device. */
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
  /** Whether it is also on other devices of the person, by a password manager. */
  isSynced: boolean;
  /** The host name of the site for which it was made. Under another name, browsers do not offer it. */
  site: string;
  /** Whether its counter went back, as it does if somebody has copied it. It is no longer accepted: remove it. */
  isCopied: boolean;
  /** Made with the first second factor, and shown only now. Null if you have some already. */
  recoveryCodes: string[] | null;
};

export type PasskeyChanges = {
  /** How you recognize it. */
  name?: string | undefined;
};

export type OwnRemoval = {
  password: string;
};

/** A user account, as admins see it. */
export type Person = {
  id: number;
  username: string;
  role: "reader" | "author" | "admin";
  createdAt: string;
  /** How many records the person has that are not in the trash. */
  counts: {
    files: number;
    directories: number;
    photos: number;
    posts: number;
    comments: number;
    albums: number;
  };
  /** What the files of the person take, with their versions and those in the trash. */
  bytes: number;
  /** Whether the person is being removed: the records are moved in the background. */
  isBeingRemoved: boolean;
};

export type PersonChanges = {
  role?: "reader" | "author" | "admin" | undefined;
};

export type NewInvitation = {
  /** The role of the new account. */
  role: "reader" | "author" | "admin";
  /** Who it is for. Only admins can see it. */
  note?: string | undefined;
  /** Where to send the link, if the server sends mail: one address. Only admins can see it. */
  email?: string | undefined;
  /** When the link stops working; left out: in 7 days. Null: never. */
  expiresAt?: string | null | undefined;
};

export type CreatedInvitation = {
  id: number;
  /** The role of the new account. */
  role: "reader" | "author" | "admin";
  note: string;
  /** Where the link was sent. */
  email: string | null;
  createdBy: {
    id: number;
    username: string;
  };
  createdAt: string;
  expiresAt: string | null;
  /** Shown only now. Send it as `invitation` with `POST /signup`. */
  token: string;
  /** The page on which to sign up with it; a path if `BASE_URL` is not set. */
  url: string;
};

/** A link with which one person can sign up. */
export type Invitation = {
  id: number;
  /** The role of the new account. */
  role: "reader" | "author" | "admin";
  note: string;
  /** Where the link was sent. */
  email: string | null;
  createdBy: {
    id: number;
    username: string;
  };
  createdAt: string;
  expiresAt: string | null;
};

export type OwnMail = {
  /** Whether this server sends mail at all. */
  isConfigured: boolean;
  /** Your address, which you have confirmed. Nobody else sees it. */
  address: string | null;
  /** An address that you have yet to confirm, by the link that was sent to it. */
  pendingAddress: string | null;
  notices: MailNotices;
};

export type MailNotices = {
  /** Somebody commented on something of yours; at most one mail an hour. */
  comments: boolean;
  /** A guest sent pictures by a share link of yours. */
  uploads: boolean;
  /** Once a week what needs your attention, if there is anything. */
  digest: boolean;
};

export type AddressChange = {
  /** One mail address; null to remove yours. */
  address: string | null;
  password: string;
};

export type NoticeChanges = {
  /** Somebody commented on something of yours; at most one mail an hour. */
  comments?: boolean | undefined;
  /** A guest sent pictures by a share link of yours. */
  uploads?: boolean | undefined;
  /** Once a week what needs your attention, if there is anything. */
  digest?: boolean | undefined;
};

export type AddressConfirmation = {
  /** That of the link in the mail. */
  token: string;
};

export type PasswordLinkRequest = {
  username?: string | undefined;
  /** The confirmed address of the account. */
  email?: string | undefined;
};

export type PasswordReset = {
  /** That of the link. */
  token: string;
  /** For admins, and for everyone if the setting `passwordRule` is `strong`: at least 8 characters, and not easy to guess, that is, neither very common nor with the username or the name of the site in it. */
  newPassword: string;
};

export type PasswordLink = {
  /** Shown only now. The page on which a password is set; a path if `BASE_URL` is not set. */
  url: string;
  expiresAt: string;
};

export type NewKey = {
  /** What it is for. */
  name: string;
  /** What it may do: `read`; write `photos`, `files`, the `blog` or `comments`; use WebDAV (`dav`); or everything that you can do as an `admin`. */
  scopes: Array<"read" | "photos:write" | "files:write" | "blog:write" | "comments:write" | "dav" | "admin">;
  /** When it stops working. Left out or null: never. */
  expiresAt?: string | null | undefined;
  /** The directory of yours to which it is limited, with everything in it. Only one of both is possible. */
  directoryID?: number | undefined;
  /** The album of yours to which it is limited, with the albums and photos in it. */
  albumID?: number | undefined;
};

export type CreatedKey = {
  id: number;
  name: string;
  scopes: Array<"read" | "photos:write" | "files:write" | "blog:write" | "comments:write" | "dav" | "admin">;
  /** The directory of yours to which it is limited, with everything in it. */
  directoryID: number | null;
  /** The album of yours to which it is limited, with the albums and photos in it. */
  albumID: number | null;
  /** The path of that directory, or the name of that album. Null if the key is not limited, or if the record is deleted: then it reaches nothing. */
  limitedTo: string | null;
  createdAt: string;
  expiresAt: string | null;
  /** When it was last used, to within an hour. */
  lastUsedAt: string | null;
  /** The address from which it was used then. Only you can see it. */
  lastAddress: string | null;
  /** Shown only now. Programs send it as `Authorization: Bearer <key>`. */
  key: string;
};

/** A key with which a program acts for you. */
export type AppKey = {
  id: number;
  name: string;
  scopes: Array<"read" | "photos:write" | "files:write" | "blog:write" | "comments:write" | "dav" | "admin">;
  /** The directory of yours to which it is limited, with everything in it. */
  directoryID: number | null;
  /** The album of yours to which it is limited, with the albums and photos in it. */
  albumID: number | null;
  /** The path of that directory, or the name of that album. Null if the key is not limited, or if the record is deleted: then it reaches nothing. */
  limitedTo: string | null;
  createdAt: string;
  expiresAt: string | null;
  /** When it was last used, to within an hour. */
  lastUsedAt: string | null;
  /** The address from which it was used then. Only you can see it. */
  lastAddress: string | null;
};

export type Archive = {
  /** `waiting` until it is made, and `none` if none was asked for, or it is removed. */
  status: "none" | "waiting" | "ready" | "failed";
  /** Why it could not be made. */
  error: string | null;
  /** In bytes; null until it is made. */
  size: number | null;
  /** Where it is downloaded, by its owner alone; null until it is made. */
  url: string | null;
  requestedAt: string | null;
  madeAt: string | null;
  /** It is removed then. */
  expiresAt: string | null;
};

/** `width` and `height` may be omitted if the server can read them from the image or the video. */
export type NewPhoto = {
  title: string;
  /** Default: `""`. */
  description?: string | null | undefined;
  /** What the picture shows, for people who cannot see it. Default: `""`. */
  altText?: string | undefined;
  /** At most 20. Upper and lower case are the same tag. Default: `[]`. */
  tags?: string[] | undefined;
  /** Whether it is a favourite of its owner. For everyone else this is false. Default: `false`. */
  isFavourite?: boolean | undefined;
  fileID: number;
  width?: number | null | undefined;
  height?: number | null | undefined;
  /** Corrects the time in the file; null removes the correction. Default: `null`. */
  takenAt?: string | null | undefined;
  /** Corrects the place in the file; null removes the correction. `showLocation` decides who can see it. Default: `null`. */
  place?:
    | {
        latitude: number;
        longitude: number;
        name?: string | null | undefined;
      }
    | null
    | undefined;
  /** Whether everyone can see where the photo was taken. Default: `false`. */
  showLocation?: boolean | undefined;
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility?: "public" | "private" | undefined;
  /** Leaves the photo's file as it is. Without it, `visibility` applies to the file as well if it belongs to the owner of the photo, unless another public record of the owner uses it. A new photo never makes its file public. */
  original?: "keep" | undefined;
};

export type Photo = {
  id: number;
  title: string;
  /** Whether the title is only the name of the file, because nobody has sent one. The site then shows the date instead of it. */
  isUntitled: boolean;
  description: string;
  /** What the picture shows, for people who cannot see it. */
  altText: string;
  tags: string[];
  /** Whether it is a favourite of its owner. For everyone else this is false. */
  isFavourite: boolean;
  /** Null if you may not see the file. */
  fileID: number | null;
  width: number;
  height: number;
  /** The time of the camera's clock, unless the owner has corrected it; without a time zone it is assumed to be UTC. Null if it is not known, and if the file belongs to another user. */
  takenAt: string | null;
  /** The time zone of the camera's clock, as the owner has set it, or else as the file says. Null if neither does, and for everyone who may not change the photo. */
  takenAtZone: string | null;
  /** As the owner has corrected it, or else from the file. Visible as `showLocation` says. */
  place: Place | null;
  exif: Exif | null;
  /** Whether everyone can see where the photo was taken. */
  showLocation: boolean;
  /** A blurred preview (ThumbHash) of about 25 bytes, in Base64. */
  thumbhash: string | null;
  /** Whether the picture is still being prepared: then there is no `thumbhash`, and `variants` is empty. An event tells when it is there. */
  isPreparing: boolean;
  /** Whether the file ends early or is damaged, so that only a part of the picture is shown. */
  isCutOff: boolean;
  /** The picture in several widths, for a `srcset`. */
  variants: Variant[];
  kind: "image" | "video";
  /** The duration of a video in seconds; null for images, and if it is not known. */
  duration: number | null;
  /** What `variants` of a video show: a frame of it, or the picture that was sent. Null for images, and while a video has neither. */
  poster: "frame" | "sent" | null;
  /** The video in a motion photo. */
  motion: {
    url: string;
    /** In seconds. */
    duration: number;
  } | null;
  /** How the picture is turned and cropped; `width`, `height`, `thumbhash` and `variants` are of the edited picture. Null if it is not edited, and for everyone who may not change the photo. */
  edits: Edits | null;
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility: "public" | "private";
  ownerID: number;
  /** Null while the file is in the trash, or if you may not see it: the file of a cropped photo is only for those who may change the photo. */
  file: File | null;
  createdAt: string;
  updatedAt: string;
};

export type Place = {
  latitude: number | null;
  longitude: number | null;
  /** In metres. */
  altitude: number | null;
  /** From the caption metadata of the image. */
  name: string | null;
};

/** Metadata that the camera wrote into the image. */
export type Exif = {
  make: string | null;
  model: string | null;
  lens: string | null;
  /** In seconds. */
  exposureTime: number | null;
  /** The f-number. */
  aperture: number | null;
  iso: number | null;
  /** In millimetres. */
  focalLength: number | null;
  /** Visible only to the owner unless `showLocation` is true. */
  place: Place | null;
};

export type Variant = {
  width: number;
  height: number;
  url: string;
};

/** The upright picture is turned clockwise by `turn` degrees, then mirrored left to right if `flip` is true, then cropped. */
export type Edits = {
  turn: 0 | 90 | 180 | 270;
  flip: boolean;
  crop: Crop | null;
};

/** In fractions of the turned picture: from 0 to 1. */
export type Crop = {
  x: number;
  y: number;
  width: number;
  height: number;
};

/** A file or a directory. */
export type File = {
  id: number;
  name: string;
  /** The directory that contains it, such as `/` or `/a/b`. */
  path: string;
  isDirectory: boolean;
  /** Size in bytes of the content that you can download (see `sha256`); 0 for a directory. */
  size: number;
  contentType: string | null;
  /** Where to download the file; null for a directory. */
  url: string | null;
  /** Hash of the bytes that `url` returns to you; `size` and the `ETag` refer to the same bytes. The owner and admins get the original bytes; everyone else gets images and videos without private metadata, so the bytes differ. Null for a directory, and for everyone else while the file has not been read yet or may not be downloaded. */
  sha256: string | null;
  /** Whether everyone can see it, or only its owner and admins. Everything in a private directory is private. */
  visibility: "public" | "private";
  ownerID: number;
  createdAt: string;
  updatedAt: string;
};

export type PhotoMonth = {
  month: string;
  count: number;
};

export type PhotoArea = {
  /** The area, as the list of photos takes it. */
  bbox: string;
  /** How many photos were taken there. */
  count: number;
  photo: PhotoOfArea;
};

/** One of them. */
export type PhotoOfArea = {
  id: number;
  title: string;
  /** What the picture shows, for people who cannot see it. */
  altText: string;
  /** The time of the camera's clock, unless the owner has corrected it; without a time zone it is assumed to be UTC. Null if it is not known, and if the file belongs to another user. */
  takenAt: string | null;
  /** As the owner has corrected it, or else from the file. Visible as `showLocation` says. */
  place: Place | null;
  /** A blurred preview (ThumbHash) of about 25 bytes, in Base64. */
  thumbhash: string | null;
  /** The picture in several widths, for a `srcset`. */
  variants: Variant[];
};

export type PhotoChanges = {
  title?: string | undefined;
  description?: string | null | undefined;
  /** What the picture shows, for people who cannot see it. */
  altText?: string | undefined;
  /** At most 20. Upper and lower case are the same tag. */
  tags?: string[] | undefined;
  /** Whether it is a favourite of its owner. For everyone else this is false. */
  isFavourite?: boolean | undefined;
  /** Corrects the time in the file; null removes the correction. */
  takenAt?: string | null | undefined;
  /** Corrects the place in the file; null removes the correction. `showLocation` decides who can see it. */
  place?:
    | {
        latitude: number;
        longitude: number;
        name?: string | null | undefined;
      }
    | null
    | undefined;
  /** Whether everyone can see where the photo was taken. */
  showLocation?: boolean | undefined;
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility?: "public" | "private" | undefined;
  /** Leaves the photo's file as it is. Without it, `visibility` applies to the file as well if it belongs to the owner of the photo, unless another public record of the owner uses it. A new photo never makes its file public. */
  original?: "keep" | undefined;
  fileID?: number | undefined;
  width?: number | null | undefined;
  height?: number | null | undefined;
  /** Turns and crops the picture; null shows it as it is in the file. The file itself is not changed. With a crop, it becomes private if it belongs to the owner of the photo, unless another public record of the owner uses it, and is public again without the crop. A photo that gets another file loses its edits, unless others are sent. */
  edits?: Edits | null | undefined;
};

/** `file` is present if the request said `withFile=true`. */
export type DeletedPhoto = {
  message: string;
  /** What the photo's file is now: `trashed` with the photo, or still `public` or `private` because something else uses it or because that was not asked for. Null if the file does not belong to the owner of the photo, or was in the trash before. */
  file?: "public" | "private" | "trashed" | null | undefined;
};

/** Your photos of one day. */
export type PhotoMemory = {
  year: number;
  /** At most 1000 are counted. */
  count: number;
  /** The first photos of the day, at most 8. */
  photos: Photo[];
};

/** Photos of yours that look like copies of one picture. */
export type DuplicatePhotos = {
  /** The newest group first, at most 20, each with the best copy first, at most 12 copies. */
  groups: Array<{
    copies: Array<{
      photo: Photo;
      /** In how many of your albums it is. */
      albumCount: number;
      /** Whether it is the one to keep: the largest, or else the one with most texts and albums, or else the oldest. */
      isBest: boolean;
    }>;
  }>;
  /** The number of all groups. */
  total: number;
  /** How many photos are still to be compared; at most 1000 are counted. */
  pending: number;
};

export type DuplicateDecision = {
  /** Photos of yours. */
  photoIDs: number[];
  /** `false`: they are not suggested as copies of each other again. `true` takes that back. */
  areDuplicates: boolean;
};

export type NewImport = {
  /** The directory. */
  path: string;
  /** Whether to include subdirectories. Default: `true`. */
  recursive?: boolean | undefined;
};

export type ImportReport = {
  id: number;
  /** The directory. */
  path: string;
  /** Whether to include subdirectories. */
  recursive: boolean;
  /** What was read, if it is outside the site: a folder or an archive. Null for a directory of the site. */
  source: string | null;
  /** What the source was recognised as, such as `takeout`; null before that. */
  kind: string | null;
  /** What was asked for, if the server reads the source; null for an import by the command line. */
  plan: ImportPlan | null;
  /** Whether it only reports what would be imported. */
  isDryRun: boolean;
  status: "running" | "finished" | "failed" | "cancelled" | "undoing" | "undone";
  /** Whether the source is being read, or photos are being made of what was read. */
  phase: "reading" | "photos" | "finished";
  /** Whether it waits for the key of another server: after a restart, or if that server refuses it. */
  needsKey: boolean;
  /** Why the source could not be read; of a running import, why it cannot be read now. */
  failure: string | null;
  /** Number of items of the source by what became of them. Directories are not counted. Those that are `noted` were not to be imported: nothing is wrong with them. */
  items: {
    added: number;
    known: number;
    changed: number;
    refused: number;
    noted: number;
  };
  /** About how many items the source has, if that is known. */
  totalItems: number | null;
  /** How much was stored. */
  bytes: number;
  /** How much of the source was read, or passed over. */
  seenBytes: number;
  /** How much the source has, if that is known. */
  totalBytes: number | null;
  /** How fast it is being read. */
  bytesPerSecond: number | null;
  /** How long the current phase will take, if that can be told. */
  secondsLeft: number | null;
  /** Number of files from which photos were created. */
  imported: number;
  /** Number of files of which you already had a photo. */
  existing: number;
  /** Number of files that cannot be imported. */
  refused: number;
  /** Number of files that are still to be read. In a finished import, these could not be read: import the directory again later. */
  left: number;
  ownerID: number;
  createdAt: string;
  updatedAt: string;
  finishedAt: string | null;
  /** The first 100 files of the import, oldest first. */
  files: ImportedFile[];
};

export type ImportPlan = {
  fileIDs?: number[] | undefined;
  /** A folder or an archive on the disk of the server instead, below the directory that the variable IMPORT_DIR names; only for admins. */
  folder?: string | undefined;
  /** Another server instead: Immich, Nextcloud or WebDAV, or another Vitrine; only for admins. It needs `key`. */
  server?: ImportServer | undefined;
  /** Which accounts write the posts of which authors; only for admins. For other authors, an account of the same name is taken, or one without a password is made. */
  authors?:
    | Array<{
        /** A username of the source. */
        theirs: string;
        /** A username of this site. */
        ours: string;
      }>
    | undefined;
  /** The directory below which files are stored; by default one with the name of the source. */
  to?: string | undefined;
  /** Whether photos are created from pictures and videos. An export of a photo program always does that. */
  photos: boolean;
  /** Whether each folder becomes an album. */
  albums: boolean;
  /** Whether the people in photos become tags. */
  people: boolean;
  /** Whether photos with five stars become favourites. */
  stars: boolean;
  /** Whether media that are missing in an export of WordPress are read from the old site, at public addresses; only for admins. */
  fetch: boolean;
  /** Who sees what is imported; by default as the source says. */
  visibility?: "public" | "private" | undefined;
  /** Whether nothing is stored but the report. */
  dryRun: boolean;
};

export type ImportServer = {
  /** Which program it should be: another one is refused. By default, it is recognised. */
  kind?: "immich" | "webdav" | "vitrine" | undefined;
  /** Its address, which may be in the local network. */
  url: string;
  /** Whose files are read, of Nextcloud and WebDAV; the key is their password then. */
  username?: string | undefined;
};

export type ImportedFile = {
  fileID: number;
  name: string;
  /** The directory that contains the file; null if the file was deleted. */
  path: string | null;
  outcome: "imported" | "exists" | "refused" | "waiting";
  /** Why it was not imported. */
  reason: string | null;
  photo: Photo | null;
};

export type Import = {
  id: number;
  /** The directory. */
  path: string;
  /** Whether to include subdirectories. */
  recursive: boolean;
  /** What was read, if it is outside the site: a folder or an archive. Null for a directory of the site. */
  source: string | null;
  /** What the source was recognised as, such as `takeout`; null before that. */
  kind: string | null;
  /** What was asked for, if the server reads the source; null for an import by the command line. */
  plan: ImportPlan | null;
  /** Whether it only reports what would be imported. */
  isDryRun: boolean;
  status: "running" | "finished" | "failed" | "cancelled" | "undoing" | "undone";
  /** Whether the source is being read, or photos are being made of what was read. */
  phase: "reading" | "photos" | "finished";
  /** Whether it waits for the key of another server: after a restart, or if that server refuses it. */
  needsKey: boolean;
  /** Why the source could not be read; of a running import, why it cannot be read now. */
  failure: string | null;
  /** Number of items of the source by what became of them. Directories are not counted. Those that are `noted` were not to be imported: nothing is wrong with them. */
  items: {
    added: number;
    known: number;
    changed: number;
    refused: number;
    noted: number;
  };
  /** About how many items the source has, if that is known. */
  totalItems: number | null;
  /** How much was stored. */
  bytes: number;
  /** How much of the source was read, or passed over. */
  seenBytes: number;
  /** How much the source has, if that is known. */
  totalBytes: number | null;
  /** How fast it is being read. */
  bytesPerSecond: number | null;
  /** How long the current phase will take, if that can be told. */
  secondsLeft: number | null;
  /** Number of files from which photos were created. */
  imported: number;
  /** Number of files of which you already had a photo. */
  existing: number;
  /** Number of files that cannot be imported. */
  refused: number;
  /** Number of files that are still to be read. In a finished import, these could not be read: import the directory again later. */
  left: number;
  ownerID: number;
  createdAt: string;
  updatedAt: string;
  finishedAt: string | null;
};

export type NewSourceImport = {
  /** Archives or exports that were uploaded to the site. They are read as one, in this order. */
  fileIDs?: number[] | undefined;
  /** A folder or an archive on the disk of the server instead, below the directory that the variable IMPORT_DIR names; only for admins. */
  folder?: string | undefined;
  /** Another server instead: Immich, Nextcloud or WebDAV, or another Vitrine; only for admins. It needs `key`. */
  server?: ImportServer | undefined;
  /** Which accounts write the posts of which authors; only for admins. For other authors, an account of the same name is taken, or one without a password is made. */
  authors?:
    | Array<{
        /** A username of the source. */
        theirs: string;
        /** A username of this site. */
        ours: string;
      }>
    | undefined;
  /** The directory below which files are stored; by default one with the name of the source. */
  to?: string | undefined;
  /** Whether photos are created from pictures and videos. An export of a photo program always does that. Default: `false`. */
  photos?: boolean | undefined;
  /** Whether each folder becomes an album. Default: `false`. */
  albums?: boolean | undefined;
  /** Whether the people in photos become tags. Default: `false`. */
  people?: boolean | undefined;
  /** Whether photos with five stars become favourites. Default: `false`. */
  stars?: boolean | undefined;
  /** Whether media that are missing in an export of WordPress are read from the old site, at public addresses; only for admins. Default: `false`. */
  fetch?: boolean | undefined;
  /** Who sees what is imported; by default as the source says. */
  visibility?: "public" | "private" | undefined;
  /** Whether nothing is stored but the report. Default: `false`. */
  dryRun?: boolean | undefined;
  /** For `server`: the API key of Immich, the app password of Nextcloud and WebDAV, the token of another Vitrine, or the password if `username` is sent. It is kept in memory while the import runs, and never stored. */
  key?: string | undefined;
};

export type ImportItem = {
  id: number;
  /** Such as `file` or `album`; `refused` if that is not known. */
  kind: string;
  /** What the source calls it. */
  name: string;
  outcome: "added" | "known" | "changed" | "refused" | "noted";
  /** Why it was refused, or what else there is to say of it. */
  reason: string | null;
  /** The record of the site that it became. It may have been deleted since. */
  record: {
    kind: string;
    id: number;
  } | null;
};

export type ImportKey = {
  /** As for the new import. */
  key: string;
};

export type NewPost = {
  /** Only admins create pages. A page stands at `/<slug>`. Default: `"post"`. */
  kind?: "post" | "page" | undefined;
  title: string;
  content: string;
  /** The photo shown at the top of the post; null for none. Default: `null`. */
  coverID?: number | null | undefined;
  /** The post in the URL of its page. Made from the title, if it is not sent with a new post. */
  slug?: string | undefined;
  /** A short text for lists; null or blank: the beginning of the content. Default: `null`. */
  excerpt?: string | null | undefined;
  /** At most 20. Upper and lower case are the same tag. Default: `[]`. */
  tags?: string[] | undefined;
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility?: "public" | "private" | undefined;
  /** Null: a draft. In the future: the post is published at that time. Until then, only its owner and admins can see it. */
  publishedAt?: string | null | undefined;
  /** Whether new comments are accepted. A page has none: it is always false. Default: `true`. */
  commentsOpen?: boolean | undefined;
};

/** A post with its content as HTML. */
export type PostWithHTML = {
  id: number;
  /** `post`: in the blog, at `/blog/<slug>`. `page`: outside of it, at `/<slug>`, without comments. It cannot be changed. */
  kind: "post" | "page";
  title: string;
  slug: string;
  /** Markdown. */
  content: string;
  /** The one that was sent, or the beginning of the content. */
  excerpt: string;
  tags: string[];
  /** The photo shown at the top of the post; null for none. */
  coverID: number | null;
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility: "public" | "private";
  publishedAt: string | null;
  /** Whether new comments are accepted. A page has none: it is always false. */
  commentsOpen: boolean;
  ownerID: number;
  cover: Photo | null;
  createdAt: string;
  updatedAt: string;
  /** The content as HTML without scripts and styles, with the embedded records that you may see. */
  html: string;
};

export type Post = {
  id: number;
  /** `post`: in the blog, at `/blog/<slug>`. `page`: outside of it, at `/<slug>`, without comments. It cannot be changed. */
  kind: "post" | "page";
  title: string;
  slug: string;
  /** Markdown. */
  content: string;
  /** The one that was sent, or the beginning of the content. */
  excerpt: string;
  tags: string[];
  /** The photo shown at the top of the post; null for none. */
  coverID: number | null;
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility: "public" | "private";
  publishedAt: string | null;
  /** Whether new comments are accepted. A page has none: it is always false. */
  commentsOpen: boolean;
  ownerID: number;
  cover: Photo | null;
  createdAt: string;
  updatedAt: string;
};

export type PostChanges = {
  title?: string | undefined;
  content?: string | undefined;
  /** The photo shown at the top of the post; null for none. */
  coverID?: number | null | undefined;
  /** The post in the URL of its page. Made from the title, if it is not sent with a new post. */
  slug?: string | undefined;
  /** A short text for lists; null or blank: the beginning of the content. */
  excerpt?: string | null | undefined;
  /** At most 20. Upper and lower case are the same tag. */
  tags?: string[] | undefined;
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility?: "public" | "private" | undefined;
  /** Null: a draft. In the future: the post is published at that time. Until then, only its owner and admins can see it. */
  publishedAt?: string | null | undefined;
  /** Whether new comments are accepted. A page has none: it is always false. */
  commentsOpen?: boolean | undefined;
};

/** A revision of a post, without its content. */
export type RevisionSummary = {
  /** 1 for the first. The highest is the post as it is now. */
  number: number;
  title: string;
  /** When this revision was saved. */
  createdAt: string;
  /** Who saved it; null if that is not known, or if the account was removed. */
  author: {
    id: number;
    username: string;
  } | null;
  /** The length of the content in bytes, as UTF-8. */
  size: number;
};

/** A revision of a post. */
export type Revision = {
  /** 1 for the first. The highest is the post as it is now. */
  number: number;
  title: string;
  /** When this revision was saved. */
  createdAt: string;
  /** Who saved it; null if that is not known, or if the account was removed. */
  author: {
    id: number;
    username: string;
  } | null;
  /** The length of the content in bytes, as UTF-8. */
  size: number;
  content: string;
  /** Null if none was sent. */
  excerpt: string | null;
  tags: string[];
  coverID: number | null;
};

export type MarkdownText = {
  /** Markdown. */
  content: string;
};

/** HTML without scripts and styles. */
export type RenderedText = {
  html: string;
};

/** A comment for moderators. */
export type QueuedComment = {
  id: number;
  content: string;
  /** The post that it is on; null for a comment on a photo or an album. */
  blogPostID: number | null;
  /** The photo that it is on, or null. */
  photoID: number | null;
  /** The album that it is on, or null. */
  albumID: number | null;
  /** The comment that this one replies to; null if there is none, or none that you can see. */
  parentID: number | null;
  /** Everyone sees visible comments. Hidden ones, and those that wait for approval, are seen by their author, the author of the post (or the owner of the photo or album) and admins. */
  status: "visible" | "hidden" | "waiting";
  ownerID: number;
  /** The username is the host of the other site if `source` is set: nobody there has an account here. */
  author: {
    id: number;
    username: string;
  };
  /** Where it comes from, if it is a mention by another site (Webmention). It then belongs to the owner of what it is on, who cannot change its content. Null for other comments. */
  source: CommentSource | null;
  createdAt: string;
  updatedAt: string;
  /** The post that it is on, or null. */
  post: {
    id: number;
    title: string;
    slug: string;
    kind: "post" | "page";
  } | null;
  /** The photo that it is on, or null. */
  photo: {
    id: number;
    title: string;
    /** The path of a small picture of it, or null. */
    picture: string | null;
  } | null;
  /** The album that it is on, or null. */
  album: {
    id: number;
    name: string;
    /** The path of a small picture of it, or null. */
    picture: string | null;
  } | null;
};

export type CommentSource = {
  /** The page that links here. */
  url: string;
  /** What the page says about it. */
  kind: "reply" | "like" | "repost" | "mention";
  /** Who wrote the page, as it says itself. */
  author: string | null;
};

export type NewComment = {
  content: string;
  /** The post to comment on. */
  blogPostID?: number | undefined;
  /** The photo to comment on, instead of a post. */
  photoID?: number | null | undefined;
  /** The album to comment on, instead of a post. */
  albumID?: number | null | undefined;
  /** The comment to reply to, which must not be a reply itself. Default: `null`. */
  parentID?: number | null | undefined;
};

export type Comment = {
  id: number;
  content: string;
  /** The post that it is on; null for a comment on a photo or an album. */
  blogPostID: number | null;
  /** The photo that it is on, or null. */
  photoID: number | null;
  /** The album that it is on, or null. */
  albumID: number | null;
  /** The comment that this one replies to; null if there is none, or none that you can see. */
  parentID: number | null;
  /** Everyone sees visible comments. Hidden ones, and those that wait for approval, are seen by their author, the author of the post (or the owner of the photo or album) and admins. */
  status: "visible" | "hidden" | "waiting";
  ownerID: number;
  /** The username is the host of the other site if `source` is set: nobody there has an account here. */
  author: {
    id: number;
    username: string;
  };
  /** Where it comes from, if it is a mention by another site (Webmention). It then belongs to the owner of what it is on, who cannot change its content. Null for other comments. */
  source: CommentSource | null;
  createdAt: string;
  updatedAt: string;
};

export type CommentChanges = {
  content?: string | undefined;
  /** Everyone sees visible comments. Hidden ones, and those that wait for approval, are seen by their author, the author of the post (or the owner of the photo or album) and admins. */
  status?: "visible" | "hidden" | "waiting" | undefined;
};

export type CommentBatch = {
  ids: number[];
  /** Everyone sees visible comments. Hidden ones, and those that wait for approval, are seen by their author, the author of the post (or the owner of the photo or album) and admins. */
  status?: "visible" | "hidden" | "waiting" | undefined;
  /** Whether to move them to the trash. Default: `false`. */
  trash?: boolean | undefined;
};

/** One result for each id, in the order of the request. */
export type BatchResult = {
  /** How many records were changed. */
  changed: number;
  results: Array<{
    id: number;
    /** 200, or the status that a request for this record alone has. */
    status: number;
    error: string | null;
  }>;
};

export type NewAlbum = {
  name: string;
  /** Default: `""`. */
  description?: string | undefined;
  /** An album of yours that contains it; null for the top level. Default: `null`. */
  parentID?: number | null | undefined;
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility?: "public" | "private" | undefined;
  /** The order of its photos: by hand, or by `takenAt`. Photos without a date then come last. A smart album is always ordered by date. */
  photoOrder?: "manual" | "oldestFirst" | "newestFirst" | undefined;
  /** Creates a smart album: it has those of your photos that meet all conditions, now and later, newest first. Photos cannot be added to it by hand. Default: `null`. */
  filter?: AlbumFilter | null | undefined;
};

export type AlbumFilter = {
  /** Photos that have all of these tags. */
  tags?: string[] | undefined;
  /** Taken at this time or later: a date, or a time with its zone. */
  from?: string | undefined;
  /** Taken before this time. */
  to?: string | undefined;
  /** Taken with this camera (`exif.model`). */
  camera?: string | undefined;
  /** Only images, or only videos. */
  kind?: "image" | "video" | undefined;
  /** Taken in this area: west, south, east and north in degrees. Places that only you see count as well. */
  bbox?: string | undefined;
  /** Only favourites of the owner, or only other photos. */
  favourite?: boolean | undefined;
};

export type CreatedAlbum = {
  id: number;
  name: string;
  description: string;
  /** The album that contains it; null at the top level, and if you may not see that album. */
  parentID: number | null;
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility: "public" | "private";
  ownerID: number;
  /** The number of photos that you can see in it. */
  photoCount: number;
  /** The photo chosen as the cover; null if none was chosen. */
  coverPhotoID: number | null;
  /** The order of its photos: by hand, or by `takenAt`. Photos without a date then come last. A smart album is always ordered by date. */
  photoOrder: "manual" | "oldestFirst" | "newestFirst";
  /** The filter of a smart album, whose photos follow from it; null for other albums, and for everyone but its owner and admins. */
  filter: AlbumFilter | null;
  /** The chosen cover, or else the first photo. */
  cover: Photo | null;
  createdAt: string;
  updatedAt: string;
  /** Empty, because a new album has none. Not sent for a smart album, which may have many at once. */
  photos?: Photo[] | undefined;
};

export type Album = {
  id: number;
  name: string;
  description: string;
  /** The album that contains it; null at the top level, and if you may not see that album. */
  parentID: number | null;
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility: "public" | "private";
  ownerID: number;
  /** The number of photos that you can see in it. */
  photoCount: number;
  /** The photo chosen as the cover; null if none was chosen. */
  coverPhotoID: number | null;
  /** The order of its photos: by hand, or by `takenAt`. Photos without a date then come last. A smart album is always ordered by date. */
  photoOrder: "manual" | "oldestFirst" | "newestFirst";
  /** The filter of a smart album, whose photos follow from it; null for other albums, and for everyone but its owner and admins. */
  filter: AlbumFilter | null;
  /** The chosen cover, or else the first photo. */
  cover: Photo | null;
  createdAt: string;
  updatedAt: string;
};

export type MatchingPhotos = {
  count: number;
};

/** An album with its photos, in album order. */
export type AlbumWithPhotos = {
  id: number;
  name: string;
  description: string;
  /** The album that contains it; null at the top level, and if you may not see that album. */
  parentID: number | null;
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility: "public" | "private";
  ownerID: number;
  /** The number of photos that you can see in it. */
  photoCount: number;
  /** The photo chosen as the cover; null if none was chosen. */
  coverPhotoID: number | null;
  /** The order of its photos: by hand, or by `takenAt`. Photos without a date then come last. A smart album is always ordered by date. */
  photoOrder: "manual" | "oldestFirst" | "newestFirst";
  /** The filter of a smart album, whose photos follow from it; null for other albums, and for everyone but its owner and admins. */
  filter: AlbumFilter | null;
  /** The chosen cover, or else the first photo. */
  cover: Photo | null;
  createdAt: string;
  updatedAt: string;
  photos: Photo[];
};

export type AlbumChanges = {
  name?: string | undefined;
  description?: string | undefined;
  /** An album of yours that contains it; null for the top level. */
  parentID?: number | null | undefined;
  /** A photo in the album; null uses the first photo. */
  coverPhotoID?: number | null | undefined;
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility?: "public" | "private" | undefined;
  /** The order of its photos: by hand, or by `takenAt`. Photos without a date then come last. A smart album is always ordered by date. */
  photoOrder?: "manual" | "oldestFirst" | "newestFirst" | undefined;
  /** Another filter of a smart album; null for other albums. */
  filter?: AlbumFilter | null | undefined;
};

export type AlbumPhoto = {
  photoID: number;
};

export type AlbumOrder = {
  photoIDs: number[];
};

export type AlbumMove = {
  /** Photos in the album, in the order that they get. */
  photoIDs: number[];
  /** A photo in the album before which they are moved. */
  before?: number | undefined;
  /** Or the photo after which they are moved. */
  after?: number | undefined;
};

export type AlbumPlace = {
  /** An album beside it, before which it is moved. */
  before?: number | undefined;
  /** Or the album after which it is moved. */
  after?: number | undefined;
};

export type AlbumUpload = {
  /** Who can see the photo and its file. */
  visibility?: "public" | "private" | undefined;
  /** The picture or video. Its filename becomes the title. */
  file: Blob;
};

export type Heart = {
  /** How many were given; 0 while hearts are switched off. */
  hearts: number;
  /** Whether one of them is yours. */
  hasHeart: boolean;
  /** Whether this site has hearts. */
  isOpen: boolean;
};

/** What the site shows about you. */
export type Profile = {
  /** Shown instead of the username; null for none. */
  displayName: string | null;
  /** A short text about yourself. */
  about: string;
  /** The site shows them with `rel="me"`. */
  links: ProfileLink[];
  /** The photo that was chosen. */
  portraitID: number | null;
  /** As everyone sees it. Null if there is none, or if the photo is private or deleted. */
  portrait: Portrait | null;
};

export type ProfileLink = {
  url: string;
  /** Without one, the site shows the host. */
  label?: string | null | undefined;
};

/** A public photo of the person. */
export type Portrait = {
  photoID: number;
  altText: string;
  thumbhash: string | null;
  variants: Variant[];
};

export type ProfileChanges = {
  /** Shown instead of the username; null for none. */
  displayName?: string | null | undefined;
  /** A short text about yourself. */
  about?: string | undefined;
  /** The site shows them with `rel="me"`. */
  links?: ProfileLink[] | undefined;
  /** One of your own photos; null for none. */
  portraitID?: number | null | undefined;
};

/** Somebody who has published something, as everyone sees them. */
export type PublicPerson = {
  id: number;
  username: string;
  /** Shown instead of the username; null for none. */
  displayName: string | null;
  /** A short text about yourself. */
  about: string;
  /** The site shows them with `rel="me"`. */
  links: ProfileLink[];
  /** As everyone sees it. Null if there is none, or if the photo is private or deleted. */
  portrait: Portrait | null;
  /** The page of the person. */
  url: string;
};

export type Newsletter = {
  /** Whether visitors can subscribe. It is a setting of the site. */
  isOn: boolean;
  /** Whether it can be switched on: `SMTP_URL` is set. */
  isPossible: boolean;
  /** Subscribers who have not confirmed yet. */
  pending: number;
  /** Those who get new posts. */
  confirmed: number;
  /** Those who do not want them any more. */
  unsubscribed: number;
  /** Those whose addresses refuse mail. */
  bouncing: number;
};

export type Subscription = {
  /** One address. */
  email: string;
  name?: string | null | undefined;
};

/** Somebody who gets new posts by e-mail, or did. */
export type Subscriber = {
  id: number;
  email: string;
  name: string | null;
  /** `pending`: has not confirmed yet. `confirmed`: gets new posts. `unsubscribed`: does not want them any more. `bouncing`: the mail server of the address has refused a mail for good. */
  state: "pending" | "confirmed" | "unsubscribed" | "bouncing";
  /** What the mail server of the address has said, if it is bouncing. */
  bounce: string | null;
  confirmedAt: string | null;
  /** Since when it gets nothing any more. */
  endedAt: string | null;
  createdAt: string;
  updatedAt: string;
};

export type SubscriberChanges = {
  /** `confirmed` gives an address that was bouncing another try. `unsubscribed`: it gets nothing any more. Whoever has unsubscribed can only subscribe again. */
  state: "confirmed" | "unsubscribed";
};

export type SubscriberImport = {
  /** Addresses that are new here. */
  added: number;
  /** Addresses that were subscribed here, and are not in the file. */
  ended: number;
  /** Addresses that were here before, and stay as they are. */
  known: number;
  /** Lines that could not be used. */
  refused: number;
  /** The first hundred of these lines, and why. */
  problems: Array<{
    line: number;
    reason: string;
  }>;
};

/** A post that is sent to the subscribers. It is sent once. */
export type NewsletterPost = {
  postID: number;
  title: string;
  /** `none`: it is not sent. `waiting`: it is sent as soon as everyone can see it. `stopped`: it was private or deleted before all had got it, or somebody has stopped it. */
  state: "none" | "waiting" | "sending" | "sent" | "stopped";
  /** How many mails a mail server has accepted. */
  sent: number;
  /** How many it has refused, or were given up. */
  failed: number;
  /** How many are on their way. */
  waiting: number;
  startedAt: string | null;
  endedAt: string | null;
};

export type Upload = {
  /** The content of the file. Its filename becomes the name of the file. */
  file?: Blob | undefined;
  /** The directory; created if it does not exist. Default: the root. */
  path?: string | undefined;
  /** `true` creates a directory. Default: `false`. Capitals, `1`, `0` and an empty field are also accepted. */
  isDirectory?: boolean | "true" | "false" | undefined;
  /** The name to use instead of the filename. */
  name?: string | undefined;
  /** What to do if the name is taken. Default: `rename`, which keeps both files. `reuse` does the same, but returns your file if it already has this content there: an upload that is sent again is not stored twice. */
  onConflict?: "rename" | "reuse" | "replace" | "fail" | undefined;
  /** Who can see the file, and directories that are created for it. Default: `public`. */
  visibility?: "public" | "private" | undefined;
};

export type FileChanges = {
  name?: string | undefined;
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility?: "public" | "private" | undefined;
};

export type Destination = {
  /** The destination directory; created if it does not exist. */
  path: string;
  /** The new name. Default: the current name. */
  name?: string | undefined;
};

export type NewDirectory = {
  name: string;
  /** The directory in which to create it. */
  path?: string | null | undefined;
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility?: "public" | "private" | undefined;
};

/** An upload of a file, in one or more parts. */
export type ResumableUpload = {
  id: number;
  /** Size of the file in bytes. */
  length: number;
  /** Number of bytes received so far. */
  offset: number;
  /** The file, once the upload is finished; null if it was deleted. */
  file: File | null;
  ownerID: number;
  createdAt: string;
  /** When the upload expires, unless another part is sent before. */
  expiresAt: string;
};

export type FileHashes = {
  sha256: string[];
};

/** A file of yours that has this content. */
export type KnownFile = {
  sha256: string;
  fileID: number;
  name: string;
  /** The directory that contains the file. */
  path: string;
  /** Your newest photo of this file. */
  photoID: number | null;
};

export type FileSizes = {
  size: number[];
};

/** An earlier version of the content of a file. */
export type Version = {
  id: number;
  fileID: number;
  /** In bytes. */
  size: number;
  contentType: string;
  sha256: string;
  /** Where to download the version. */
  url: string;
  /** When this became the content of the file. */
  createdAt: string;
  /** When this content was replaced. */
  replacedAt: string;
};

/** Where a file is used, as far as you may see it. */
export type FileUses = {
  uses: Array<{
    /** `photo`, `post`, `album`, `share` or `settings`. */
    kind: string;
    /** Null for the settings of the site. */
    id: number | null;
    /** Its title or name; for a share link, the kind of record that it leads to. */
    name: string;
    /** `picture` of a photo, `embed` or `cover` of a post, `entry` of an album, `link`, or `icon`, `logo` or `cover` of the site. */
    as: string;
    /** What is used: the file, a directory that contains it, or a photo of it. */
    of: {
      kind: string;
      id: number;
    };
  }>;
  /** False if there may be more uses than those that are listed. */
  isComplete: boolean;
};

export type PhotoBatch = {
  ids: number[];
  set?: SharedPhotoChanges | undefined;
  /** Titles that differ. The photos are numbered in the order of `ids`. */
  retitle?:
    | {
        /** The new title. `{n}` is replaced by the number of the photo, `{nnn}` by the same with at least three digits, and `{title}` by the title that it has. */
        title: string;
        /** The number of the first photo. Default: `1`. */
        start?: number | undefined;
      }
    | undefined;
  /** At most 20. Upper and lower case are the same tag. */
  addTags?: string[] | undefined;
  /** At most 20. Upper and lower case are the same tag. */
  removeTags?: string[] | undefined;
  /** An album of yours to which they are added. */
  albumID?: number | undefined;
  /** An album of yours from which they are removed. */
  removeFromAlbumID?: number | undefined;
  /** Whether to move them to the trash. Default: `false`. */
  trash?: boolean | undefined;
  /** With `trash`: whether to move their files to the trash as well. Each file is a part of the entry of its photo. A file that something else of its owner uses is kept. Default: `false`. */
  withFile?: boolean | undefined;
};

export type SharedPhotoChanges = {
  title?: string | undefined;
  description?: string | null | undefined;
  /** What the picture shows, for people who cannot see it. */
  altText?: string | undefined;
  /** At most 20. Upper and lower case are the same tag. */
  tags?: string[] | undefined;
  /** Whether it is a favourite of its owner. For everyone else this is false. */
  isFavourite?: boolean | undefined;
  /** Corrects the time in the file; null removes the correction. */
  takenAt?: string | null | undefined;
  /** Corrects the place in the file; null removes the correction. `showLocation` decides who can see it. */
  place?:
    | {
        latitude: number;
        longitude: number;
        name?: string | null | undefined;
      }
    | null
    | undefined;
  /** Whether everyone can see where the photo was taken. */
  showLocation?: boolean | undefined;
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility?: "public" | "private" | undefined;
  /** Leaves the photo's file as it is. Without it, `visibility` applies to the file as well if it belongs to the owner of the photo, unless another public record of the owner uses it. A new photo never makes its file public. */
  original?: "keep" | undefined;
  /** Seconds that are added to `takenAt`, for a camera whose clock was wrong. */
  takenAtShift?: number | undefined;
  /** The time zone of the camera's clock, such as `Europe/Lisbon` or `+02:00`; null: not known, read as UTC. `takenAt` becomes the time at which a clock in this zone showed what the camera's clock did, however often it is set. It stays as it is if the file says its zone, or if `takenAt` is sent as well. */
  takenAtZone?: string | null | undefined;
};

/** One result for each id, in the order of the request. `file` is null unless `visibility` or `withFile` was sent. */
export type PhotoBatchResult = {
  /** How many records were changed. */
  changed: number;
  results: Array<{
    id: number;
    /** 200, or the status that a request for this record alone has. */
    status: number;
    error: string | null;
    /** What the photo's file is now: `trashed` with the photo, or still `public` or `private` because something else uses it or because that was not asked for. Null if the file does not belong to the owner of the photo, or was in the trash before. */
    file: "public" | "private" | "trashed" | null;
    /** Whether `albumID` added it: it was not in that album before. */
    isAdded: boolean;
  }>;
};

export type NewPhotos = {
  photos: NewPhotoOfFile[];
  /** An album of yours to which they are added. */
  albumID?: number | undefined;
};

/** As `NewPhoto`; the title may be omitted. */
export type NewPhotoOfFile = {
  /** Without it, the name of the file, and `isUntitled` is true. */
  title?: string | undefined;
  /** Default: `""`. */
  description?: string | null | undefined;
  /** What the picture shows, for people who cannot see it. Default: `""`. */
  altText?: string | undefined;
  /** At most 20. Upper and lower case are the same tag. Default: `[]`. */
  tags?: string[] | undefined;
  /** Whether it is a favourite of its owner. For everyone else this is false. Default: `false`. */
  isFavourite?: boolean | undefined;
  fileID: number;
  width?: number | null | undefined;
  height?: number | null | undefined;
  /** Corrects the time in the file; null removes the correction. Default: `null`. */
  takenAt?: string | null | undefined;
  /** Corrects the place in the file; null removes the correction. `showLocation` decides who can see it. Default: `null`. */
  place?:
    | {
        latitude: number;
        longitude: number;
        name?: string | null | undefined;
      }
    | null
    | undefined;
  /** Whether everyone can see where the photo was taken. Default: `false`. */
  showLocation?: boolean | undefined;
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility?: "public" | "private" | undefined;
  /** Leaves the photo's file as it is. Without it, `visibility` applies to the file as well if it belongs to the owner of the photo, unless another public record of the owner uses it. A new photo never makes its file public. */
  original?: "keep" | undefined;
};

/** One result for each photo, in the order of the request. */
export type PhotosResult = {
  /** How many photos were created. */
  created: number;
  results: Array<{
    fileID: number;
    /** The photo that was created. */
    photoID: number | null;
    /** 201, or the status that a request for this photo alone has. 503 means that the server has not read the picture yet: send it again later. */
    status: number;
    error: string | null;
    /** Why no picture can be made of the file, such as `JPEG XL is not supported yet.` */
    reason: string | null;
  }>;
};

export type FileBatch = {
  ids: number[];
  /** Where to move them. The directory is created if it does not exist. */
  move?:
    | {
        /** The destination directory. */
        path: string;
      }
    | undefined;
  /** Where to copy them, instead of other changes. The directory is created if it does not exist. If a name is taken, a number is added to it. */
  copy?:
    | {
        /** The destination directory. */
        path: string;
      }
    | undefined;
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility?: "public" | "private" | undefined;
  /** Whether to move them to the trash. Default: `false`. */
  trash?: boolean | undefined;
};

/** One result for each id, in the order of the request. */
export type FileBatchResult = {
  /** How many records were changed. */
  changed: number;
  results: Array<{
    id: number;
    /** 200, or the status that a request for this record alone has. */
    status: number;
    error: string | null;
    /** The copy, if it was copied. */
    copyID: number | null;
  }>;
};

export type RecordBatch = {
  ids: number[];
  /** Whether everyone can see the record, or only its owner and admins. */
  visibility?: "public" | "private" | undefined;
  /** Whether to move them to the trash. Default: `false`. */
  trash?: boolean | undefined;
};

export type NewShare = {
  /** What the link leads to. */
  kind: "photo" | "post" | "album" | "file" | "directory";
  /** The id of the record. */
  id: number;
  /** When the link stops working. Null: never. */
  expiresAt?: string | null | undefined;
  /** Guests must send it as `X-Share-Password`. Null: no password is needed. */
  password?: string | null | undefined;
  /** Whether originals can be downloaded, as far as the public bytes of a file can. Default: true, unless `showMetadata` is false. Without it, pictures are still shown. */
  allowDownload?: boolean | undefined;
  /** Whether guests can send pictures to the album or directory. They wait for approval. Default: false. Default: `false`. */
  allowUpload?: boolean | undefined;
  /** Whether camera, capture time and place are shown, as far as the public would see them. Default: true. Default: `true`. */
  showMetadata?: boolean | undefined;
};

/** A link, with its token. */
export type NewShareResult = {
  id: number;
  /** What the link leads to. */
  kind: "photo" | "post" | "album" | "file" | "directory";
  recordID: number;
  expiresAt: string | null;
  allowDownload: boolean;
  allowUpload: boolean;
  showMetadata: boolean;
  /** The title or name of the record; null while it is in the trash. */
  title: string | null;
  /** The address of a small picture of the record; null if there is none. */
  image: string | null;
  /** The owner of the record. */
  ownerID: number;
  hasPassword: boolean;
  /** How many visits the link had. Requests from one address within half an hour are one visit; a visit is counted within a few seconds. */
  uses: number;
  /** When the last visit began. */
  lastUsedAt: string | null;
  /** How many pictures from guests wait for approval. */
  waitingUploads: number;
  createdAt: string;
  updatedAt: string;
  /** Shown only once. */
  token: string;
  /** The link, shown only once. */
  url: string;
};

/** A link to a record. */
export type Share = {
  id: number;
  /** What the link leads to. */
  kind: "photo" | "post" | "album" | "file" | "directory";
  recordID: number;
  expiresAt: string | null;
  allowDownload: boolean;
  allowUpload: boolean;
  showMetadata: boolean;
  /** The title or name of the record; null while it is in the trash. */
  title: string | null;
  /** The address of a small picture of the record; null if there is none. */
  image: string | null;
  /** The owner of the record. */
  ownerID: number;
  hasPassword: boolean;
  /** How many visits the link had. Requests from one address within half an hour are one visit; a visit is counted within a few seconds. */
  uses: number;
  /** When the last visit began. */
  lastUsedAt: string | null;
  /** How many pictures from guests wait for approval. */
  waitingUploads: number;
  createdAt: string;
  updatedAt: string;
};

export type ShareChanges = {
  /** When the link stops working. Null: never. */
  expiresAt?: string | null | undefined;
  /** Guests must send it as `X-Share-Password`. Null: no password is needed. */
  password?: string | null | undefined;
  /** Whether originals can be downloaded, as far as the public bytes of a file can. Default: true, unless `showMetadata` is false. Without it, pictures are still shown. */
  allowDownload?: boolean | undefined;
  /** Whether guests can send pictures to the album or directory. They wait for approval. Default: false. */
  allowUpload?: boolean | undefined;
  /** Whether camera, capture time and place are shown, as far as the public would see them. Default: true. */
  showMetadata?: boolean | undefined;
};

/** What a link leads to. The record is read by its kind and `recordID`. */
export type OpenedShare = {
  /** What the link leads to. */
  kind: "photo" | "post" | "album" | "file" | "directory";
  title: string;
  recordID: number;
  expiresAt: string | null;
  allowDownload: boolean;
  allowUpload: boolean;
  showMetadata: boolean;
};

export type GuestUpload = {
  /** The picture or video. Its filename is kept. */
  file: Blob;
  /** Who sends it, for the owner of the link. */
  guestName?: string | undefined;
};

/** A picture that a guest has sent, and that waits for approval. */
export type WaitingUpload = {
  id: number;
  /** The name of the file. */
  name: string;
  /** Who sent it, as they have written it. */
  guestName: string | null;
  size: number;
  contentType: string;
  createdAt: string;
};

export type Approval = {
  /** The directory for the file of a picture in an album; created if it does not exist. A picture that was sent to a directory is stored there. Default: `"/"`. */
  path?: string | undefined;
  /** Whether the file of a picture in an album goes into a directory of `path` that is named after the year in which it was taken, or else after the current year. Default: `false`. */
  byYear?: boolean | undefined;
  /** Who can see the file and the photo. A private one is also seen through the link. If the settings keep originals private, the file of a photo is private. Default: `"private"`. */
  visibility?: "public" | "private" | undefined;
};

export type Approved = {
  fileID: number;
  /** Null for a directory. */
  photoID: number | null;
};

export type SearchResult = {
  kind: "photo" | "post" | "comment" | "album" | "file";
  id: number;
  /** The title or name; empty for a comment. */
  title: string;
  /** The title as HTML, with matches in `<mark>` and everything else escaped. */
  titleHTML: string;
  /** An excerpt of the text around the first match, as HTML like the title; empty if there is no text. */
  excerptHTML: string;
  /** The record, as its own endpoint returns it. */
  record: Photo | Post | Comment | Album | File;
};

/** One deletion, with everything that was deleted along with the record. */
export type TrashEntry = {
  id: number;
  kind: "photo" | "post" | "comment" | "album" | "file";
  recordID: number;
  /** The title, or the beginning of the text. */
  name: string;
  ownerID: number;
  /** Who deleted it: its owner, the author of the post, or an admin. */
  deletedByID: number;
  deletedAt: string;
  /** When it will be permanently deleted. */
  expiresAt: string;
  /** Whether it is a page: a post outside the blog. */
  isPage: boolean;
  /** The address of a picture of a photo or file, for its owner; null if there is none. */
  image: string | null;
};

export type TrashBatch = {
  /** Deleted records, by what they are and their own id. */
  records: Array<{
    kind: "photo" | "post" | "comment" | "album" | "file";
    id: number;
  }>;
};

/** One result for each record, in the order of the request. */
export type TrashBatchResult = {
  /** How many records were changed. */
  changed: number;
  results: Array<{
    id: number;
    /** 200, or the status that a request for this record alone has. */
    status: number;
    error: string | null;
    kind: "photo" | "post" | "comment" | "album" | "file";
  }>;
};

export type StorageReport = {
  /** The time of the count. */
  countedAt: string;
  /** For an admin, all users, or one page of them; otherwise only yourself. */
  owners: OwnerStorage[];
  /** Files that are not in the trash, by the month (UTC) in which they were uploaded, newest first: for an admin, those of all users. */
  months: StorageMonth[];
  /** The whole site; only for admins. */
  site: {
    /** Files that are not in the trash. */
    files: {
      count: number;
      bytes: number;
    };
    /** Images among the files. */
    images: {
      count: number;
      bytes: number;
    };
    /** Videos among the files. */
    videos: {
      count: number;
      bytes: number;
    };
    /** All other files. */
    otherFiles: {
      count: number;
      bytes: number;
    };
    /** Files in the trash. */
    trash: {
      count: number;
      bytes: number;
    };
    /** Pictures that were sent as posters of videos. */
    posters: {
      count: number;
      bytes: number;
    };
    /** What files held before. */
    versions: {
      count: number;
      bytes: number;
    };
    /** Blog posts with their revisions, including those in the trash. */
    texts: {
      count: number;
      bytes: number;
    };
    /** Files, trash, posters, versions and texts together. */
    bytes: number;
    /** Uploads that are not finished, by their whole length, and pictures from guests that wait for approval. They count towards the quota. */
    unfinishedUploads: {
      count: number;
      bytes: number;
    };
    directories: number;
    photos: number;
    posts: number;
    comments: number;
    albums: number;
    /** Bytes that take no space, because the same content is already stored. */
    savedByDeduplication: number;
    /** Different contents: the same bytes are stored once. */
    stored: {
      count: number;
      bytes: number;
    };
    variants: {
      count: number;
      bytes: number;
      /** The time of the count. */
      countedAt: string;
    } | null;
  } | null;
};

/** The storage that one user takes. */
export type OwnerStorage = {
  ownerID: number;
  username: string;
  /** Files that are not in the trash. */
  files: {
    count: number;
    bytes: number;
  };
  /** Images among the files. */
  images: {
    count: number;
    bytes: number;
  };
  /** Videos among the files. */
  videos: {
    count: number;
    bytes: number;
  };
  /** All other files. */
  otherFiles: {
    count: number;
    bytes: number;
  };
  /** Files in the trash. */
  trash: {
    count: number;
    bytes: number;
  };
  /** Pictures that were sent as posters of videos. */
  posters: {
    count: number;
    bytes: number;
  };
  /** What files held before. */
  versions: {
    count: number;
    bytes: number;
  };
  /** Blog posts with their revisions, including those in the trash. */
  texts: {
    count: number;
    bytes: number;
  };
  /** Files, trash, posters, versions and texts together. */
  bytes: number;
  /** Uploads that are not finished, by their whole length, and pictures from guests that wait for approval. They count towards the quota. */
  unfinishedUploads: {
    count: number;
    bytes: number;
  };
  directories: number;
  photos: number;
  posts: number;
  comments: number;
  albums: number;
  /** Bytes that take no space, because the same content is already stored. */
  savedByDeduplication: number;
  /** The storage limit in bytes; null for no limit. */
  quota: number | null;
};

export type StorageMonth = {
  month: string;
  count: number;
  bytes: number;
};

/** One change of one record. */
export type Activity = {
  id: number;
  action:
    | "created"
    | "changed"
    | "trashed"
    | "restored"
    | "deleted"
    | "imported"
    | "published"
    | "signedUp"
    | "roleChanged"
    | "passwordChanged"
    | "factorAdded"
    | "factorRemoved"
    | "factorsReset"
    | "recoveryCodeUsed"
    | "signedOut"
    | "removed";
  kind: string;
  recordID: number;
  /** The name at that time; null if you may not see the record. */
  name: string | null;
  /** Whether it is a page: a post outside the blog. */
  isPage: boolean;
  /** The address of a small picture of the record as it is now; null if there is none. */
  image: string | null;
  /** The owner of the record at that time. */
  ownerID: number | null;
  /** Who did it. `username` is null if the account was removed; `actor` is null if the server or its command line did it. */
  actor: {
    id: number;
    username: string | null;
  } | null;
  createdAt: string;
};

/** What may need your attention. */
export type Attention = {
  /** How many of your passkeys are no longer accepted, because there may be copies of them. At most 10000 are counted. */
  copiedPasskeys: number;
  /** How many recovery codes you have left, if you have a second factor and at most 3 of them. */
  recoveryCodesLeft: number | null;
  /** Groups of your photos that look like copies of one picture. */
  duplicateGroups: number;
  /** Imports that are running. At most 10000 are counted. */
  unfinishedImports: number;
  /** Posts that are drafts. At most 10000 are counted. */
  drafts: number;
  /** Posts that will be published. At most 10000 are counted. */
  scheduledPosts: number;
  /** Comments that wait for your approval. At most 10000 are counted. */
  waitingComments: number;
  /** Files of pictures and videos from which no picture could be read. */
  unreadablePictures: {
    count: number;
    /** The newest of them, at most 20. */
    fileIDs: number[];
  };
  /** Pictures from guests that wait for approval. At most 10000 are counted. */
  waitingUploads: number;
  /** The storage that is used; for admins, without unfinished uploads and stored responses. */
  storage: {
    /** Files, trash, versions, posters, texts, responses that are stored for an Idempotency-Key, and unfinished uploads. */
    bytes: number;
    /** The limit in bytes; null for no limit. */
    quota: number | null;
  };
  /** The disk of the server, if something is wrong with it; null for others than admins. */
  disk: {
    /** What is wrong. While there is little space left, it is `low`. */
    trouble: "low" | "full" | "readOnly" | "missing" | "failing";
    /** How much can still be stored. */
    freeBytes: number;
  } | null;
  /** How many bytes the log of the database has, if it has grown beyond 64 MB because another program keeps reading the database. Null if it has not, and for all but admins. */
  largeLogBytes: number | null;
  /** When the last backup was made, or `vitrine record backup` was last run. Null if that never was, and for all but admins. */
  lastBackupAt: string | null;
  /** Why the last backup that the server tried to make has failed. Null if it has not, and for all but admins. */
  backupError: string | null;
  /** Whether nothing is deleted because of its age, as the clock may be wrong: `vitrine confirm clock` ends that. False for all but admins. */
  deletionsHeld: boolean;
  /** Whether the samples that a new site was started with are being created, or complete. Null if there are none, and for all but admins. */
  samples: "creating" | "complete" | null;
};

export type Backups = {
  /** Where they are: the variable `BACKUP_TO`. Null if it is not set. */
  place: string | null;
  /** Whether this server is making one now. */
  isRunning: boolean;
  /** The last one that a server made by itself or was asked for. */
  lastRun: {
    endedAt: string;
    /** Why it has failed; null if it has not. */
    error: string | null;
  } | null;
  /** Why the backups cannot be listed; null if they can. */
  problem: string | null;
  /** Newest first. */
  backups: Backup[];
};

export type Backup = {
  /** Its name on the command line. */
  id: string;
  /** The moment that it shows. */
  createdAt: string;
  /** The version of the program that made it. */
  version: string;
  /** How many files it has. */
  fileCount: number;
  /** How large the site was. */
  bytes: number;
  /** How many files the site had lost when it was made. */
  lostFiles: number;
};

export type BackupContents = {
  /** The id of the backup. */
  backup: string;
  /** How many records were found. */
  total: number;
  /** Those that are deleted first, then those in the trash; the newest of each first. */
  records: BackedUpRecord[];
};

export type BackedUpRecord = {
  /** `photo`, `album`, `post`, `file` or `directory`. */
  kind: string;
  id: number;
  /** Its title or name in the backup. */
  name: string;
  createdAt: string;
  /** Whether the site still has it: only what is `deleted` is restored. */
  state: "deleted" | "trashed" | "present";
};

export type RestoreFromBackup = {
  /** The id of the backup. Without it, the newest one. */
  backup?: string | undefined;
  kind: "photo" | "album" | "post" | "file" | "directory";
  /** The id of the record in the backup. */
  id: number;
};

export type RestoredFromBackup = {
  kind: "photo" | "album" | "post" | "file" | "directory";
  /** The id of the record in the site: that in the backup, unless another record has it. */
  id: number;
  name: string;
  /** `present` if it was not deleted, and `trashed` if it is in the trash, from which it can be restored. */
  state: "restored" | "present" | "trashed";
  /** How many other records were restored with it. */
  otherRestored: number;
  /** How many could not be. */
  otherFailed: number;
  /** Why the first of these could not be. */
  reason: string | null;
};

export type NewWebhook = {
  /** An http or https URL. */
  url: string;
  /** Which events are sent: `kind.action`, with `*` for every kind or action. Default: `["*"]`. */
  events?: string[] | undefined;
  /** Events are only sent while the webhook is active. Default: `true`. */
  isActive?: boolean | undefined;
};

export type CreatedWebhook = {
  id: number;
  url: string;
  events: string[];
  isActive: boolean;
  /** Why the server has deactivated it; null if it has not. */
  inactiveReason: string | null;
  createdAt: string;
  updatedAt: string;
  /** Signs the deliveries. It is shown only once. */
  secret: string;
};

export type Webhook = {
  id: number;
  url: string;
  events: string[];
  isActive: boolean;
  /** Why the server has deactivated it; null if it has not. */
  inactiveReason: string | null;
  createdAt: string;
  updatedAt: string;
};

export type WebhookChanges = {
  /** An http or https URL. */
  url?: string | undefined;
  /** Which events are sent: `kind.action`, with `*` for every kind or action. */
  events?: string[] | undefined;
  /** Events are only sent while the webhook is active. */
  isActive?: boolean | undefined;
};

export type WebhookDelivery = {
  id: number;
  webhookID: number;
  event: string;
  /** The body that is sent. */
  payload: string;
  state: "waiting" | "delivered" | "failed";
  attempts: number;
  /** The status of the last response. */
  status: number | null;
  /** Why the last attempt failed. */
  error: string | null;
  /** The beginning of the last response. */
  response: string | null;
  attemptedAt: string | null;
  /** Null if it is not sent again. */
  nextAttemptAt: string | null;
  createdAt: string;
};

export type NewMention = {
  /** The page that links here. */
  source: string;
  /** The page of a public post, photo or album of this site that it links to. */
  target: string;
};

/** An address of an earlier site, and where it leads. */
export type Redirect = {
  id: number;
  /** The old address: a path, perhaps with a query. */
  from: string;
  /** Where it leads now; null if that was deleted. Guests are led only to what they may see. */
  to: string | null;
  /** The title or name of what it leads to; null for a path, and if that was deleted. */
  title: string | null;
  /** What it leads to. A record is found even if its own address changes. */
  kind: "post" | "photo" | "album" | "file" | "tag" | "path";
  /** The id of the record that it leads to. */
  recordID: number | null;
  /** The import that has added it; null once somebody has changed it. */
  importID: number | null;
  createdAt: string;
};

export type NewRedirect = {
  /** The old address, or its path. It leads anywhere only while this site has nothing there. */
  from: string;
  /** A path of this site. */
  to: string;
};

export type RedirectChanges = {
  /** The old address, or its path. It leads anywhere only while this site has nothing there. */
  from?: string | undefined;
  /** A path of this site. */
  to?: string | undefined;
};

export type RedirectRemoval = {
  ids: number[];
};

export type Settings = {
  /** The name of the site. */
  siteName: string;
  /** A sentence below the name. */
  tagline: string;
  /** The language of the site, as a BCP 47 tag. */
  language: string;
  /** How the pages of the site look. */
  theme: "magazine" | "gallery" | "plain";
  /** The colour of links and buttons, instead of that of the theme. Where texts in it would be hard to read, it is shown darker, or lighter in dark mode. Null for the colour of the theme. */
  accentColour: string | null;
  /** Styles that are added to the pages of the site. They cannot load anything from elsewhere: `@import` is refused, and `url()` takes only paths of this site and `data:` URLs. */
  customCSS: string;
  /** The visibility of new records for which none is sent. */
  defaultVisibility: "public" | "private";
  /** Who can see the files of photos. `same`: whoever sees the photo, because a change of a photo's visibility changes its file's as well. `private`: only the owner and admins, whoever sees the photo. `private` applies to new photos and whenever a photo's visibility is set; files that are public before that stay public until then. */
  originalVisibility: "same" | "private";
  /** The menu of the site, in its order: at most 20 entries. */
  menu: MenuEntry[];
  /** The text at the bottom of each page. Blank lines separate paragraphs; `[text](address)` and web addresses are links. Blank: the tagline. */
  footer: string;
  /** The role of new accounts; `closed` disables sign-up. */
  signupRole: "author" | "reader" | "closed";
  /** Which passwords are accepted. `strong`: those with at least 8 characters that are not easy to guess. `any`: all of 1 to 256 characters, with a warning for one that is not strong. Admins need a strong one in any case. It becomes `strong` with the first admin. */
  passwordRule: "any" | "strong";
  /** The roles that need a second factor. Whoever has such a role and no second factor can only set one up or sign out, and their app keys stop until then. Only an admin who has one can add a role. */
  factorRoles: Array<"reader" | "author" | "admin">;
  /** Whether the comments of an account wait for approval until one of them has been approved. */
  approveFirstComments: boolean;
  /** Whether photos and albums have comments, as posts do. Switched off, those that exist are seen only by their authors, the owners of the photos and albums, and admins. */
  photoComments: boolean;
  /** Whether everyone can give a heart to posts, photos and albums, with or without an account. */
  hearts: boolean;
  /** Whether visitors can subscribe to new posts by e-mail. It can be switched on only where `SMTP_URL` is set. */
  newsletter: boolean;
  /** Whether other sites are told of public posts that link to them, and can tell this one of pages that link to its posts, photos and albums (Webmention). Such a page is read by the server, and shown as a comment once it was approved. Sending needs `BASE_URL`. */
  webmentions: boolean;
  /** A WebSub hub, which the feeds name and which is told when they change, so that feed readers know at once. It needs `BASE_URL`. Null for none. */
  webSubHub: string | null;
  /** How often the server makes a backup by itself, if `BACKUP_TO` says where. */
  backupEvery: "never" | "day" | "week";
  /** After a backup of its own, the server removes those that are neither the newest of one of this many last days, weeks or months, nor the newest of all. */
  backupsKept: {
    days: number;
    weeks: number;
    months: number;
  };
  /** A server of map tiles, for maps with streets. The browsers of visitors load them from there, so that server learns their addresses and which part of the map they look at. Without it, the map shows the outlines of countries, and nothing is loaded from elsewhere. */
  mapTiles: {
    url: string;
    /** Whom the map names as its source. */
    attribution: string;
  } | null;
  /** The picture that browsers show for the site. It must be public; only the middle of it is shown, as a square. */
  iconFileID: number | null;
  /** The photo that the header of each page shows as the logo. A wide one replaces the name of the site, any other stands beside it. It is shown only while the photo is public. Null for none. */
  logoPhotoID: number | null;
  /** The photo behind the name of the site on the front page, which its cards in social networks also show. It is shown only while the photo is public. Null for none. */
  coverPhotoID: number | null;
  /** The menu of a new site. It cannot be changed. */
  defaultMenu: MenuEntry[];
  /** Settings that an environment variable has set. They cannot be changed here. */
  fromEnvironment: Array<
    | "siteName"
    | "tagline"
    | "language"
    | "theme"
    | "accentColour"
    | "customCSS"
    | "defaultVisibility"
    | "originalVisibility"
    | "menu"
    | "footer"
    | "signupRole"
    | "passwordRule"
    | "factorRoles"
    | "approveFirstComments"
    | "photoComments"
    | "hearts"
    | "newsletter"
    | "webmentions"
    | "webSubHub"
    | "backupEvery"
    | "backupsKept"
    | "mapTiles"
    | "iconFileID"
    | "logoPhotoID"
    | "coverPhotoID"
  >;
};

/** One entry of the menu. */
export type MenuEntry = {
  /** `section`: a part of the site, in `section`. `page`: a page, in `pageID`; guests see it as long as the page is public. `link`: any address, in `url`. */
  kind: "section" | "page" | "link";
  section: "blog" | "photos" | "albums" | "files" | "feed" | "api" | null;
  pageID: number | null;
  url: string | null;
  /** What the menu says. Blank: the name of the section, or the title of the page. */
  label: string;
  /** Where on each page of the site it stands. */
  place: "header" | "footer";
  /** It keeps its place, and nobody sees it. */
  isHidden: boolean;
};

export type SettingsChanges = {
  /** The name of the site. */
  siteName?: string | undefined;
  /** A sentence below the name. */
  tagline?: string | undefined;
  /** The language of the site, as a BCP 47 tag. */
  language?: string | undefined;
  /** How the pages of the site look. */
  theme?: "magazine" | "gallery" | "plain" | undefined;
  /** The colour of links and buttons, instead of that of the theme. Where texts in it would be hard to read, it is shown darker, or lighter in dark mode. Null for the colour of the theme. */
  accentColour?: string | null | undefined;
  /** Styles that are added to the pages of the site. They cannot load anything from elsewhere: `@import` is refused, and `url()` takes only paths of this site and `data:` URLs. */
  customCSS?: string | undefined;
  /** The visibility of new records for which none is sent. */
  defaultVisibility?: "public" | "private" | undefined;
  /** Who can see the files of photos. `same`: whoever sees the photo, because a change of a photo's visibility changes its file's as well. `private`: only the owner and admins, whoever sees the photo. `private` applies to new photos and whenever a photo's visibility is set; files that are public before that stay public until then. */
  originalVisibility?: "same" | "private" | undefined;
  /** The menu of the site, in its order: at most 20 entries. */
  menu?: NewMenuEntry[] | undefined;
  /** The text at the bottom of each page. Blank lines separate paragraphs; `[text](address)` and web addresses are links. Blank: the tagline. */
  footer?: string | undefined;
  /** The role of new accounts; `closed` disables sign-up. */
  signupRole?: "author" | "reader" | "closed" | undefined;
  /** Which passwords are accepted. `strong`: those with at least 8 characters that are not easy to guess. `any`: all of 1 to 256 characters, with a warning for one that is not strong. Admins need a strong one in any case. It becomes `strong` with the first admin. */
  passwordRule?: "any" | "strong" | undefined;
  /** The roles that need a second factor. Whoever has such a role and no second factor can only set one up or sign out, and their app keys stop until then. Only an admin who has one can add a role. */
  factorRoles?: Array<"reader" | "author" | "admin"> | undefined;
  /** Whether the comments of an account wait for approval until one of them has been approved. */
  approveFirstComments?: boolean | undefined;
  /** Whether photos and albums have comments, as posts do. Switched off, those that exist are seen only by their authors, the owners of the photos and albums, and admins. */
  photoComments?: boolean | undefined;
  /** Whether everyone can give a heart to posts, photos and albums, with or without an account. */
  hearts?: boolean | undefined;
  /** Whether visitors can subscribe to new posts by e-mail. It can be switched on only where `SMTP_URL` is set. */
  newsletter?: boolean | undefined;
  /** Whether other sites are told of public posts that link to them, and can tell this one of pages that link to its posts, photos and albums (Webmention). Such a page is read by the server, and shown as a comment once it was approved. Sending needs `BASE_URL`. */
  webmentions?: boolean | undefined;
  /** A WebSub hub, which the feeds name and which is told when they change, so that feed readers know at once. It needs `BASE_URL`. Null for none. */
  webSubHub?: string | null | undefined;
  /** How often the server makes a backup by itself, if `BACKUP_TO` says where. */
  backupEvery?: "never" | "day" | "week" | undefined;
  /** After a backup of its own, the server removes those that are neither the newest of one of this many last days, weeks or months, nor the newest of all. */
  backupsKept?:
    | {
        days: number;
        weeks: number;
        months: number;
      }
    | undefined;
  /** A server of map tiles, for maps with streets. The browsers of visitors load them from there, so that server learns their addresses and which part of the map they look at. Without it, the map shows the outlines of countries, and nothing is loaded from elsewhere. */
  mapTiles?:
    | {
        url: string;
        /** Whom the map names as its source. */
        attribution: string;
      }
    | null
    | undefined;
  /** The picture that browsers show for the site. It must be public; only the middle of it is shown, as a square. */
  iconFileID?: number | null | undefined;
  /** The photo that the header of each page shows as the logo. A wide one replaces the name of the site, any other stands beside it. It is shown only while the photo is public. Null for none. */
  logoPhotoID?: number | null | undefined;
  /** The photo behind the name of the site on the front page, which its cards in social networks also show. It is shown only while the photo is public. Null for none. */
  coverPhotoID?: number | null | undefined;
};

export type NewMenuEntry = {
  /** `section`: a part of the site, in `section`. `page`: a page, in `pageID`; guests see it as long as the page is public. `link`: any address, in `url`. */
  kind: "section" | "page" | "link";
  /** Default: `null`. */
  section?: "blog" | "photos" | "albums" | "files" | "feed" | "api" | null | undefined;
  /** Default: `null`. */
  pageID?: number | null | undefined;
  /** Default: `null`. */
  url?: string | null | undefined;
  /** What the menu says. Blank: the name of the section, or the title of the page. Default: `""`. */
  label?: string | undefined;
  /** Where on each page of the site it stands. Default: `"header"`. */
  place?: "header" | "footer" | undefined;
  /** It keeps its place, and nobody sees it. Default: `false`. */
  isHidden?: boolean | undefined;
};

export type MailState = {
  /** Whether `SMTP_URL` is set. Without it, no mail is sent. */
  isConfigured: boolean;
  /** The sender of all mail. */
  from: string | null;
  /** The mail server. */
  server: string | null;
  /** Mails that wait to be sent. */
  waiting: number;
  /** Mails of the last seven days that were given up. */
  failed: number;
  /** Why the last of these was given up, or why the next one waits. */
  reason: string | null;
};

export type NewTestMail = {
  /** Where to send it: one address. */
  to: string;
};

export type TestMail = {
  /** Whether the mail server has accepted it. */
  isSent: boolean;
  /** Why it has not. */
  reason: string | null;
};

export type NewSession = {
  username: string;
  password: string;
  /** For forms: the path to go to, on this site. */
  next?: string | undefined;
};

export type Session = {
  expiresAt: string;
  user: User;
};

export type ContinuedSession = {
  /** What the first step has answered with. */
  ticket: string;
  /** The six digits that the authenticator app shows, or a recovery code. */
  code: string;
  /** For forms: the path to go to, on this site. */
  next?: string | undefined;
  /** For forms: what the first step has answered with, separated by spaces. */
  factors?: string | undefined;
};

export type RemovedSamples = {
  message: string;
  /** What is in the trash now, in the order in which it can be restored. */
  records: Array<{
    kind: "post" | "album" | "photo" | "file";
    id: number;
  }>;
};

export type Operations = {
  /** Create an account. A username that is taken, or that looks like one that is taken, is refused. With an `invitation`, the account has its role. A weak password is refused if the setting `passwordRule` is `strong` or the role is admin; otherwise it is accepted with a `warning`. */
  signUp: Call<SignUp, PasswordSet, Keyed>;

  /** Sign in (get a token). The token is valid for 24 hours, or until `POST /signout` or a password change. An account with a second factor gets 401 with `factor_required` and a `ticket` for `POST /api/v1/signin/factor`. */
  signIn: Call<SignIn, SignedIn>;

  /** Sign out (revoke the current token). Requires a token whose user has the reader role or higher. */
  signOut: Call<{}, Message, Keyed>;

  /** Read your account. Requires a token whose user has the reader role or higher. */
  readMe: Call<{}, OwnAccount>;

  /** Change the password. Revokes every other token of the account; the current token remains valid. A weak password is refused if the setting `passwordRule` is `strong` or you are an admin; otherwise it is accepted with a `warning`. */
  changePassword: Call<PasswordChange, PasswordSet>;

  /** Confirm that it is you. For ten minutes, this session may change how you sign in, as it may after signing in. */
  confirmSession: Call<PasswordAgain, Message>;

  /** List where you are signed in. The current session is the first, then the newest come first. Sessions that have expired or were revoked are not listed. */
  listSessions: List<
    {
      /** Page number, starting at 1. */
      page?: number | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
    },
    SessionEntry
  >;

  /** Sign out everywhere else. Revokes all your sessions except the current one. */
  endOtherSessions: Call<{}, Message>;

  /** Revoke one of your sessions. Its token or cookie is no longer valid. For the current session, this is the same as signing out. */
  endSession: Call<
    {
      id: number;
    },
    Message
  >;

  /** Take the second step of signing in, with a code. With the `ticket` of `POST /signin`, which is valid for five minutes and five attempts. Each code works once. */
  signInWithCode: Call<SecondStep, SignedIn>;

  /** Read which second factors you have. Requires a token whose user has the reader role or higher. */
  readFactors: Call<{}, Factors>;

  /** Begin to use an authenticator app. Its codes are asked for as soon as you have confirmed one of them. */
  beginTOTP: Call<PasswordAgain, NewTOTP>;

  /** Confirm the authenticator app with a code. From now on, signing in asks for a code. Other sessions remain. */
  confirmTOTP: Call<FactorCode, ConfirmedFactor>;

  /** Stop using the authenticator app. Without another second factor, the recovery codes are removed, too. */
  removeTOTP: Call<PasswordAndCode, Message>;

  /** Make new recovery codes. All earlier ones stop working. */
  renewRecoveryCodes: Call<RecoveryCodeRenewal, RecoveryCodes>;

  /** Get what a browser needs to ask for a passkey. The challenge in it can be used once, within ten minutes. Nothing is stored. */
  requestPasskey: Call<PasskeyRequest, PasskeyRequestOptions>;

  /** Sign in with a passkey (get a token). Needs no username and no password: the passkey is known to belong to an account, and the device has verified its owner. With the `ticket` of `POST /signin`, it is the second step, with one of the passkeys of that account. The response is that of `POST /signin`. */
  signInWithPasskey: Call<PasskeySignIn, SignedIn>;

  /** List your passkeys, newest first. Requires a token whose user has the reader role or higher. */
  listPasskeys: Call<{}, Passkey[]>;

  /** Add a passkey. From now on you can sign in with it alone, and a sign-in with the password asks for a second step. The name is guessed from the device if it is not sent. At most 20 for each account. */
  addPasskey: Call<NewPasskey, AddedPasskey>;

  /** Get what a browser needs to make a passkey. The challenge in it can be used once, in the same session, within ten minutes. */
  preparePasskey: Call<{}, PasskeyCreationOptions>;

  /** Rename a passkey. Requires a token whose user has the reader role or higher. */
  renamePasskey: Call<
    {
      id: number;
    } & PasskeyChanges,
    Passkey,
    IfMatch
  >;

  /** Remove a passkey. Nobody can sign in with it any more. Without another second factor, the recovery codes are removed, too. Sessions that were opened with it stay. On the device, remove it yourself. */
  removePasskey: Call<
    {
      id: number;
    },
    Message
  >;

  /** Remove your account with everything. You are signed out everywhere at once, and your app keys are revoked. Your files, photos, posts with their comments, albums, comments, hearts, share links, profile and what is in your trash are permanently deleted in the background, and then the account. What others have written or uploaded elsewhere stays. This cannot be undone. The only admin is refused. */
  removeMe: Call<OwnRemoval, Message>;

  /** List everyone with an account, newest first. Requires a token whose user has the admin role or higher. */
  listPeople: List<
    {
      /** Only people whose name contains this. */
      q?: string | undefined;
      /** Page number, starting at 1. */
      page?: number | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
    },
    Person
  >;

  /** Read an account. Requires a token whose user has the admin role or higher. */
  readPerson: Call<
    {
      id: number;
    },
    Person
  >;

  /** Change the role of a person. Applies from the next request of the person on. The last admin stays an admin. Whoever has a weak password has to change it before becoming an admin. */
  changePerson: Call<
    {
      id: number;
    } & PersonChanges,
    Person,
    IfMatch
  >;

  /** Remove a person. The person is signed out at once and can no longer sign in. Their records go to another user, or to your trash, from which you can restore them as your own. That happens in the background: until it is done, the person is listed with `isBeingRemoved`. Then the account is deleted, and the activity says so. */
  removePerson: Call<
    {
      id: number;
      /** The id of the user who gets the records. */
      giveTo?: number | undefined;
      /** `trash` moves the records to your trash. */
      records?: "trash" | undefined;
    },
    Message,
    IfMatch
  >;

  /** Sign a person out everywhere. Revokes all of the person's sessions. The person can sign in again. */
  signOutPerson: Call<
    {
      id: number;
    },
    Message
  >;

  /** Remove the second factors of a person. For somebody who has lost them: the password alone is enough to sign in again. Revokes all of the person's sessions, and removes the recovery codes. */
  resetFactors: Call<
    {
      id: number;
    },
    Message
  >;

  /** Invite somebody by a link. Whoever has the link can sign up once, even if sign-up is closed, and gets the role. The token is shown only in this response: it is stored as a hash. An admin's invitations stop working when that person is no longer an admin. */
  createInvitation: Call<NewInvitation, CreatedInvitation>;

  /** List the invitations that can be used, newest first. Without their tokens. */
  listInvitations: List<
    {
      /** Page number, starting at 1. */
      page?: number | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
    },
    Invitation
  >;

  /** Revoke an invitation. Requires a token whose user has the admin role or higher. */
  revokeInvitation: Call<
    {
      id: number;
    },
    Message
  >;

  /** Read your mail address, and what is sent to it. Requires a token whose user has the reader role or higher. */
  readOwnMail: Call<{}, OwnMail>;

  /** Change your mail address. A link is sent to the new address. The address is yours once you have followed it, within a day; until then, the earlier one stays. The earlier one then gets a notice. */
  changeOwnAddress: Call<AddressChange, OwnMail>;

  /** Choose what you are told by mail. Nothing is, unless you choose it, except what concerns the safety of your account. */
  changeNotices: Call<NoticeChanges, OwnMail>;

  /** Confirm a mail address. Requires no token. */
  confirmAddress: Call<AddressConfirmation, Message>;

  /** Get a link by mail for a forgotten password. Send either `username` or `email`. The response is always the same: it does not tell whether there is such an account. The link goes to the confirmed address of the account, works once and for one hour, and ends earlier ones. */
  requestPasswordLink: Call<PasswordLinkRequest, Message>;

  /** Set a new password with a link. Signs the account out everywhere, and nobody in: sign in with the new password, and with the second factor if the account has one. A weak password is refused if the setting `passwordRule` is `strong` or the account is one of an admin; otherwise it is accepted with a `warning`. */
  resetPassword: Call<PasswordReset, PasswordSet>;

  /** Make a link with which a person sets a new password. For somebody who has forgotten the password. Hand it over yourself: whoever has it can set the password, once and within 24 hours. Then all sessions and app keys of the person end. A person with a mail address is told. */
  createPasswordLink: Call<
    {
      id: number;
    },
    PasswordLink
  >;

  /** Make an app key. A program that sends it acts for you, and may do only what its scopes say: never change your password, your sessions or your keys. It is shown only in this response: it is stored as a hash. It works until it expires or is removed, also after you sign out or change your password. With `directoryID` or `albumID`, everything else does not exist for it. */
  createKey: Call<NewKey, CreatedKey>;

  /** List your app keys, newest first. Without the keys themselves. Those that expired less than 30 days ago are listed, too. */
  listKeys: Call<{}, AppKey[]>;

  /** Remove an app key. Programs that use it can do nothing any more, from the next request on. */
  removeKey: Call<
    {
      id: number;
    },
    Message
  >;

  /** Ask for an archive of all your data. A zip with your files, photos, posts, comments, albums, share links, profile and sessions, as `vitrine export` writes them. It is made in the background, kept for seven days, and counts towards no quota. It replaces the last one. */
  requestArchive: Call<{}, Archive, Keyed>;

  /** Read whether the archive of your data is ready. Requires a token whose user has the reader role or higher. */
  readArchive: Call<{}, Archive>;

  /** Remove the archive of your data. Your data stays as it is. */
  removeArchive: Call<{}, Message>;

  /** Download the archive of your data. Requires a token whose user has the reader role or higher. */
  downloadArchive: Download<{}>;

  /** Create a photo from an uploaded file. Requires a token whose user has the author role or higher. */
  createPhoto: Call<NewPhoto, Photo, Keyed>;

  /** List photos, newest first. Filters can be combined. Photos without `takenAt` come last when sorted by it. A page of combined filters may have fewer photos than `pageSize`, or none, and still have a next one. */
  listPhotos: List<
    {
      /** Only records of the user with this id, or your own with `me`, private ones included. The list is then read by cursor. */
      owner?: string | undefined;
      /** Only public or only private photos; with `all`, both. Private photos of others are for admins. The list is then read by cursor. */
      visibility?: "all" | "public" | "private" | undefined;
      /** Only records with this tag. The list is then read by cursor. */
      tag?: string | undefined;
      /** Only your favourites, or only other photos. The list is then read by cursor. */
      favourite?: boolean | "true" | "false" | undefined;
      /** Only photos taken at this time or later: a date, or a time with its zone. The list is then read by cursor. */
      from?: string | undefined;
      /** Only photos taken before this time. The list is then read by cursor. */
      to?: string | undefined;
      /** Only photos whose `takenAt` is known, or only those without one. The list is then read by cursor. */
      dated?: boolean | "true" | "false" | undefined;
      /** Only photos of this camera (`exif.model`). The list is then read by cursor. */
      camera?: string | undefined;
      /** Only photos in this album. The list is then read by cursor. */
      albumID?: number | undefined;
      /** Only photos in one of the owner's albums, or only those in none of them. Needs `owner=me`, except for admins. The list is then read by cursor. */
      inAlbum?: boolean | "true" | "false" | undefined;
      /** Only photos whose titles are names of files (`isUntitled`), or only those with other titles. Needs `owner`. The list is then read by cursor. */
      untitled?: boolean | "true" | "false" | undefined;
      /** Only images, or only videos. The list is then read by cursor. */
      kind?: "image" | "video" | undefined;
      /** Only photos that were taken in this area: west, south, east and north in degrees. Where west is greater than east, the area crosses the date line. Finds places that everyone may see, or with `owner=me` all of your own. The list is then read by cursor. */
      bbox?: string | undefined;
      /** Page number, starting at 1. */
      page?: number | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** What to sort by. The list is then read by cursor. */
      sort?: "createdAt" | "takenAt" | undefined;
      /** Ascending or descending. The list is then read by cursor. */
      order?: "asc" | "desc" | undefined;
    },
    Photo
  >;

  /** Count photos by the month in which they were taken. Newest month first, in UTC. Has the same filters as the list of photos. Photos without `takenAt` are in no month. If the last month of a page by cursor goes on in the next one, add both counts. */
  readTimeline: List<
    {
      /** Only records of the user with this id, or your own with `me`, private ones included. The list is then read by cursor. */
      owner?: string | undefined;
      /** Only public or only private photos; with `all`, both. Private photos of others are for admins. The list is then read by cursor. */
      visibility?: "all" | "public" | "private" | undefined;
      /** Only records with this tag. The list is then read by cursor. */
      tag?: string | undefined;
      /** Only your favourites, or only other photos. The list is then read by cursor. */
      favourite?: boolean | "true" | "false" | undefined;
      /** Only photos taken at this time or later: a date, or a time with its zone. The list is then read by cursor. */
      from?: string | undefined;
      /** Only photos taken before this time. The list is then read by cursor. */
      to?: string | undefined;
      /** Only photos whose `takenAt` is known, or only those without one. The list is then read by cursor. */
      dated?: boolean | "true" | "false" | undefined;
      /** Only photos of this camera (`exif.model`). The list is then read by cursor. */
      camera?: string | undefined;
      /** Only photos in this album. The list is then read by cursor. */
      albumID?: number | undefined;
      /** Only photos in one of the owner's albums, or only those in none of them. Needs `owner=me`, except for admins. The list is then read by cursor. */
      inAlbum?: boolean | "true" | "false" | undefined;
      /** Only photos whose titles are names of files (`isUntitled`), or only those with other titles. Needs `owner`. The list is then read by cursor. */
      untitled?: boolean | "true" | "false" | undefined;
      /** Only images, or only videos. The list is then read by cursor. */
      kind?: "image" | "video" | undefined;
      /** Only photos that were taken in this area: west, south, east and north in degrees. Where west is greater than east, the area crosses the date line. Finds places that everyone may see, or with `owner=me` all of your own. The list is then read by cursor. */
      bbox?: string | undefined;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
    },
    PhotoMonth
  >;

  /** Count photos by the area in which they were taken. The areas are cells of a grid that is finer the nearer the map is; those with most photos come first. Only photos whose place everyone may see count, or with `owner=me` all of your own. `GET /api/v1/photos?bbox=` lists the photos of an area. */
  readPhotoMap: Call<
    {
      /** The part of the world that is shown: west, south, east and north in degrees. Where west is greater than east, it crosses the date line. Without it, the whole world. */
      bbox?: string | undefined;
      /** How near the map is: the world is 256 pixels wide at 0, and twice as wide with each further step. */
      zoom?: number | undefined;
      /** `me` shows your own photos, also those whose place or picture nobody else may see. */
      owner?: "me" | undefined;
    },
    PhotoArea[]
  >;

  /** Read a photo. The location is visible only to the owner unless `showLocation` is true. */
  readPhoto: Call<
    {
      id: number;
    },
    Photo,
    Shared
  >;

  /** Change a photo. Omitted fields keep their values. `visibility` applies to the photo's file as well, and `file` in the response shows the result: see `original`. Restricted to the owner and admins. */
  changePhoto: Call<
    {
      id: number;
    } & PhotoChanges,
    Photo,
    IfMatch
  >;

  /** Move a photo to the trash. The photo is removed from its albums and from posts that use it as their cover. Its file is kept, unless the request says `withFile=true`. Restricted to the owner and admins. */
  deletePhoto: Call<
    {
      id: number;
      /** `true` moves the photo's file to the trash as well, as a part of the same entry, which restores both. A file that something else of its owner uses (another photo, a post, the icon of the site) or that belongs to another user is kept. */
      withFile?: boolean | "true" | "false" | undefined;
    },
    DeletedPhoto,
    IfMatch
  >;

  /** Read the picture of a photo. The picture is upright, in sRGB and at most as wide as requested; it is never enlarged. The format is AVIF, WebP or JPEG, whichever has the highest weight in `Accept`; a wildcard means JPEG. For animations, only the first frame is returned; for a video, its poster. */
  readPhotoImage: Download<
    {
      id: number;
      /** The width in pixels. */
      w?: "320" | "640" | "1280" | "1920" | "2560" | undefined;
      /** The value from `variants`; the response can then be cached for a day. */
      v?: string | undefined;
      /** `true` returns the picture as it is in the file, to those who may change the photo. */
      unedited?: boolean | "true" | "false" | undefined;
    },
    Shared
  >;

  /** Read the picture of a deleted photo or file. Only its owner can. `image` of an entry is this address. */
  readTrashImage: Download<{
    id: number;
    /** The width in pixels. */
    w?: "320" | "640" | "1280" | "1920" | "2560" | undefined;
  }>;

  /** List your photos of this day in earlier years. The newest year first, at most 20 years that have photos. The days are those of `takenAt`, as in the timeline. Photos of 29 February belong to 28 February in years without this day. */
  readOnThisDay: Call<
    {
      /** The day whose earlier years are read, such as today where you are. Without it, today in UTC. */
      day?: string | undefined;
    },
    PhotoMemory[]
  >;

  /** List your photos that look like copies of one picture. Copies in other sizes and formats, and slightly cropped ones; not turned ones. Nothing is done with them: keep what you like, and move others to the trash. Photos that were added since the last request are compared first; if there are many, the rest is compared in the background. */
  listDuplicatePhotos: Call<{}, DuplicatePhotos>;

  /** Say whether photos are copies of one picture. Requires a token whose user has the author role or higher. */
  decideDuplicatePhotos: Call<DuplicateDecision, Message, Keyed>;

  /** Set the poster of a video. The body is a picture of at most 20 MiB; its `Content-Type` is ignored. The variants of the photo and its `thumbhash` are made from it. Restricted to the owner and admins. */
  replacePoster: Call<
    {
      id: number;
    } & { body: Blob | ArrayBuffer | Uint8Array },
    Photo,
    IfMatch
  >;

  /** Remove the poster of a video. The photo then shows a frame of the video, if the server can take one. Restricted to the owner and admins. */
  removePoster: Call<
    {
      id: number;
    },
    Photo,
    IfMatch
  >;

  /** Read the video of a motion photo. The video that a phone recorded with the picture, without its location. Supports conditional requests and single ranges. */
  readPhotoMotion: Download<
    {
      id: number;
    },
    Shared
  >;

  /** Download the files of chosen photos as a zip archive. In the order of `ids`. Files that you may not see are left out, and a number is added to equal names. Each file has the same bytes as a download of its `content`; one that you may not download is replaced by a note. Of a cropped photo, those who may not change it get the picture as it is cropped, as a JPEG. */
  zipPhotos: Download<{
    /** Up to 500 photos. */
    ids: string;
  }>;

  /** Create photos from all images in a directory. Responds when the import has finished, or after five seconds with `status` `running`: the import then continues in the background, even after a restart. Files you have already imported are skipped, so it is safe to repeat the request. Files of others are not part of the import, unless you are an admin. A file that cannot be read temporarily is retried a few times. */
  importPhotos: Call<NewImport, ImportReport, Keyed>;

  /** Read the progress of an import. A finished import can be read for seven days. Those of sources outside the site are kept, so that they can be undone. */
  readImport: Call<
    {
      id: number;
    },
    Import
  >;

  /** Cancel an import. What was already imported is kept. Cancelling a finished import has no effect. One that is being undone stops there: what is in the trash stays there, and the rest can be undone later. */
  cancelImport: Call<
    {
      id: number;
    },
    Import,
    IfMatch
  >;

  /** List the files of an import with their outcomes. Requires a token whose user has the author role or higher. */
  listImportedFiles: List<
    {
      id: number;
      /** Only files with this outcome. */
      outcome?: "imported" | "exists" | "refused" | "waiting" | undefined;
      /** Page number, starting at 1. */
      page?: number | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
    },
    ImportedFile
  >;

  /** Import archives, an export of another program, or what another server has. The server recognises what it reads. Responds when everything was read, or after five seconds with `status` `running`: the import then continues in the background, even after a restart. What an earlier import of the same source has brought is passed over, so it is safe to repeat the request. With `dryRun`, the items say what would happen. The address and the key of a server are tried before anything else, so that mistakes are found at once. */
  createImport: Call<NewSourceImport, Import, Keyed>;

  /** List imports, newest first. Your own ones; for admins, those of everybody. */
  listImports: List<
    {
      /** Only imports of what lies outside the site, or of directories of the site. */
      origin?: "elsewhere" | "site" | undefined;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
    },
    Import
  >;

  /** List the items of an import with their outcomes. What became of each item of the source, in the order in which they were read. Items that an earlier import has brought are only counted. */
  listImportItems: List<
    {
      id: number;
      /** Only items of this kind. A `person` is an author; those who have only commented are left out. */
      kind?: "album" | "comment" | "file" | "person" | "post" | undefined;
      /** Only items with this outcome. */
      outcome?: "added" | "known" | "changed" | "refused" | "noted" | undefined;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
    },
    ImportItem
  >;

  /** Give an import the key of the other server again. An import that reads another server keeps the key only in memory: after a restart, or if that server has refused it, it has `needsKey` and goes on where it stopped once it has a key. */
  resumeImport: Call<
    {
      id: number;
    } & ImportKey,
    Import
  >;

  /** Move everything that an import has added to the trash. Responds when everything is in the trash, or after five seconds with `status` `undoing`. Directories that hold something else by now stay. A running import is cancelled first. Undoing an import again has no effect. */
  undoImport: Call<
    {
      id: number;
    },
    Import,
    IfMatch & Keyed
  >;

  /** Create a blog post. The content is Markdown. It is published at once; with `publishedAt: null` it is a draft, and with a time in the future it is published then. With `kind: "page"`, which is for admins, it becomes a page outside the blog. */
  createPost: Call<NewPost, PostWithHTML, Keyed>;

  /** List blog posts, newest first. Requires no token. */
  listPosts: List<
    {
      /** Only records of the user with this id, or your own with `me`, private ones included. The list is then read by cursor. */
      owner?: string | undefined;
      /** For admins: includes private records. The list is then read by cursor. */
      visibility?: "all" | undefined;
      /** Only records with this tag. The list is then read by cursor. */
      tag?: string | undefined;
      /** Only your own posts with this status; for admins with `visibility=all`, those of everyone. The list is then read by cursor. */
      status?: "draft" | "scheduled" | "published" | undefined;
      /** `page`: the pages outside the blog instead of its posts. The list is then read by cursor. */
      kind?: "post" | "page" | undefined;
      /** Page number, starting at 1. */
      page?: number | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** What to sort by. The list is then read by cursor. */
      sort?: "createdAt" | "publishedAt" | undefined;
      /** Ascending or descending. The list is then read by cursor. */
      order?: "asc" | "desc" | undefined;
    },
    Post
  >;

  /** Read the blog post that has, or had, a slug. If the post has another slug now, it is in the response: redirect to it. */
  readPostBySlug: Call<
    {
      slug: string;
    },
    PostWithHTML,
    Shared
  >;

  /** Read a blog post. Requires no token. */
  readPost: Call<
    {
      id: number;
    },
    PostWithHTML,
    Shared
  >;

  /** Change a blog post. Omitted fields keep their values; `coverID: null` removes the cover, and `publishedAt: null` makes it a draft again. The slug does not follow the title. Restricted to the owner and admins. */
  changePost: Call<
    {
      id: number;
    } & PostChanges,
    PostWithHTML,
    IfMatch
  >;

  /** Move a blog post and its comments to the trash. Restricted to the owner and admins. */
  deletePost: Call<
    {
      id: number;
    },
    Message,
    IfMatch
  >;

  /** List the revisions of a blog post, newest first. A change of the title, the content, the excerpt, the tags or the cover creates a revision. The first of the list is the post as it is now. All revisions of the last day are kept, and of earlier ones the last of each hour, after a week of each day, and after eight weeks of each week; the first one and the one that was published stay. Restricted to the owner and admins. */
  listRevisions: List<
    {
      id: number;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page; has no effect without `cursor`. */
      pageSize?: number | undefined;
    },
    RevisionSummary
  >;

  /** Read a revision of a blog post. Restricted to the owner and admins. */
  readRevision: Call<
    {
      id: number;
      number: number;
    },
    Revision
  >;

  /** Restore a revision of a blog post. The revision that it replaces stays in the list. A cover that was deleted is left out. Restricted to the owner and admins. */
  restoreRevision: Call<
    {
      id: number;
      number: number;
    },
    PostWithHTML,
    Keyed
  >;

  /** Render Markdown without saving it. The HTML is the one that a post with this content has, with the embedded records that you may see. Your previews are rendered one after the other. */
  previewPost: Call<MarkdownText, RenderedText>;

  /** List the comments that wait for your approval, oldest first. Those on your posts, photos and albums; for admins, all. `POST /api/v1/comments/batch` approves, hides or deletes many of them. */
  listCommentQueue: List<
    {
      /** Which comments to list. Visible ones are listed newest first. */
      status?: "waiting" | "hidden" | "visible" | undefined;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
    },
    QueuedComment
  >;

  /** Comment on a blog post, a photo or an album. One of `blogPostID`, `photoID` and `albumID` says what it is on; the latter two need the setting `photoComments`. If first comments need approval, the comment waits until the owner of that or an admin makes it visible. */
  createComment: Call<NewComment, Comment, Keyed>;

  /** List the comments on a blog post, a photo or an album, oldest first. Of what does not exist or is hidden from you, there are none. With `status` alone, the comments that you may moderate. */
  listComments: List<
    {
      /** The comments on this post. Required, unless `photoID`, `albumID` or `status` is sent. */
      blogPostID?: number | undefined;
      /** The comments on this photo, instead of a post. */
      photoID?: number | undefined;
      /** The comments on this album, instead of a post. */
      albumID?: number | undefined;
      /** Only comments with this status. Without anything else: those on your posts, photos and albums, and for admins all. */
      status?: "visible" | "hidden" | "waiting" | undefined;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page; has no effect without `cursor`. */
      pageSize?: number | undefined;
    },
    Comment,
    Shared
  >;

  /** Read a comment. Requires no token. */
  readComment: Call<
    {
      id: number;
    },
    Comment,
    Shared
  >;

  /** Change a comment. Its author changes the content; the owner of what it is on changes the status; admins change both. */
  changeComment: Call<
    {
      id: number;
    } & CommentChanges,
    Comment,
    IfMatch
  >;

  /** Move a comment to the trash. Allowed for the author of the comment, the owner of what it is on and admins. Replies to it are kept. */
  deleteComment: Call<
    {
      id: number;
    },
    Message,
    IfMatch
  >;

  /** Change the status of many comments, or move them to the trash. All comments that you may change are changed together. The result names those that you may not. */
  changeComments: Call<CommentBatch, BatchResult, Keyed>;

  /** Create an album. Requires a token whose user has the author role or higher. */
  createAlbum: Call<NewAlbum, CreatedAlbum, Keyed>;

  /** List albums, newest first. Requires no token. */
  listAlbums: List<
    {
      /** Only records of the user with this id, or your own with `me`, private ones included. The list is then read by cursor. */
      owner?: string | undefined;
      /** For admins: includes private records. The list is then read by cursor. */
      visibility?: "all" | undefined;
      /** Only albums in this album, or those at the top level with `none`. The list is then read by cursor. */
      parentID?: string | undefined;
      /** Page number, starting at 1. */
      page?: number | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** What to sort by. The list is then read by cursor. */
      sort?: "createdAt" | "position" | undefined;
      /** Ascending or descending. The list is then read by cursor. With `sort=position`, the default is `asc`. */
      order?: "asc" | "desc" | undefined;
    },
    Album
  >;

  /** Count the photos that a smart album would have. Of your own photos, whoever sees them. */
  countMatchingPhotos: Call<
    {
      /** The filter of the album, as JSON. */
      filter: string;
    },
    MatchingPhotos
  >;

  /** Read an album with its photos. Returns all photos. With `page` or `pageSize`, returns one page of them, with the same headers as a list. */
  readAlbum: Call<
    {
      id: number;
      /** Page number, starting at 1. */
      page?: number | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
    },
    AlbumWithPhotos,
    Shared
  >;

  /** Change an album: its texts, its cover, where it is, or who can see it. Restricted to the owner and admins. */
  changeAlbum: Call<
    {
      id: number;
    } & AlbumChanges,
    Album,
    IfMatch
  >;

  /** Move an album to the trash. The photos are not deleted. Its sub-albums are at the top level until it is restored, and stay there if it is deleted permanently. Restricted to the owner and admins. */
  deleteAlbum: Call<
    {
      id: number;
    },
    Message,
    IfMatch
  >;

  /** List the photos of an album, in album order. Requires no token. */
  listAlbumPhotos: List<
    {
      id: number;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
    },
    Photo,
    Shared
  >;

  /** Add a photo to an album. Appends the photo. Adding a photo that is already in the album has no effect. Restricted to the owner and admins. */
  addAlbumPhoto: Call<
    {
      id: number;
    } & AlbumPhoto,
    Message,
    Keyed
  >;

  /** Set the photos of an album and their order. Restricted to the owner and admins. */
  setAlbumPhotos: Call<
    {
      id: number;
    } & AlbumOrder,
    Message,
    IfMatch
  >;

  /** List the albums in an album, in their order. All that you may see, private ones included. The oldest comes first until one is moved. */
  listChildAlbums: List<
    {
      id: number;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
    },
    Album,
    Shared
  >;

  /** Download the photos of an album as a zip archive. Requires no token. */
  zipAlbum: Download<
    {
      id: number;
    },
    Shared
  >;

  /** Move photos in an album before or after another one. Costs about the same in an album of any length. Restricted to the owner and admins. */
  moveAlbumPhotos: Call<
    {
      id: number;
    } & AlbumMove,
    Message,
    Keyed
  >;

  /** Move an album before or after another one beside it. The site and `sort=position` show albums in this order. Restricted to the owner and admins. */
  moveAlbum: Call<
    {
      id: number;
    } & AlbumPlace,
    Message,
    Keyed
  >;

  /** Remove a photo from an album. Restricted to the owner and admins. */
  removeAlbumPhoto: Call<
    {
      id: number;
      photoID: number;
    },
    Message,
    IfMatch
  >;

  /** Upload a picture or a video into an album. Stores the file in `/photos/` and the year in which it was taken, creates a photo of it and appends that to the album. If a photo of yours in the album has these bytes, that is returned, and nothing is stored. Restricted to the owner and admins. */
  uploadAlbumPhoto: Call<
    {
      id: number;
    } & AlbumUpload,
    Photo
  >;

  /** Read how many hearts a blog post has, and whether one is yours. Requires no token. */
  readPostHeart: Call<
    {
      id: number;
    },
    Heart
  >;

  /** Give a blog post a heart. One for each account. A guest is known by a random number in a cookie, which is set with the first heart. Giving it again changes nothing. */
  givePostHeart: Call<
    {
      id: number;
    },
    Heart
  >;

  /** Take your heart back from a blog post. Requires no token. */
  takePostHeart: Call<
    {
      id: number;
    },
    Heart
  >;

  /** Read how many hearts a photo has, and whether one is yours. Requires no token. */
  readPhotoHeart: Call<
    {
      id: number;
    },
    Heart
  >;

  /** Give a photo a heart. One for each account. A guest is known by a random number in a cookie, which is set with the first heart. Giving it again changes nothing. */
  givePhotoHeart: Call<
    {
      id: number;
    },
    Heart
  >;

  /** Take your heart back from a photo. Requires no token. */
  takePhotoHeart: Call<
    {
      id: number;
    },
    Heart
  >;

  /** Read how many hearts an album has, and whether one is yours. Requires no token. */
  readAlbumHeart: Call<
    {
      id: number;
    },
    Heart
  >;

  /** Give an album a heart. One for each account. A guest is known by a random number in a cookie, which is set with the first heart. Giving it again changes nothing. */
  giveAlbumHeart: Call<
    {
      id: number;
    },
    Heart
  >;

  /** Take your heart back from an album. Requires no token. */
  takeAlbumHeart: Call<
    {
      id: number;
    },
    Heart
  >;

  /** Read your profile. Requires a token whose user has the reader role or higher. */
  readProfile: Call<{}, Profile>;

  /** Change your profile. Omitted fields keep their values. The site shows the profile with what you have published. A portrait that is private is shown to nobody. */
  changeProfile: Call<ProfileChanges, Profile, IfMatch>;

  /** Read what everyone sees of a person. People without a public post, photo or album are not found. */
  readPublicPerson: Call<
    {
      id: number;
    },
    PublicPerson
  >;

  /** Read whether there is a newsletter, and how many subscribe to it. Requires a token whose user has the admin role or higher. */
  readNewsletter: Call<{}, Newsletter>;

  /** Subscribe an address to new posts. It gets a mail with a link, and is subscribed once somebody confirms there. The response is the same for an address that is subscribed already. */
  subscribe: Call<Subscription, Message>;

  /** List subscribers, newest first. Requires a token whose user has the admin role or higher. */
  listSubscribers: List<
    {
      /** Only those in this state. */
      state?: "pending" | "confirmed" | "unsubscribed" | "bouncing" | undefined;
      /** Only those whose address or name contains this. */
      q?: string | undefined;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
    },
    Subscriber
  >;

  /** Read a subscriber. Requires a token whose user has the admin role or higher. */
  readSubscriber: Call<
    {
      id: number;
    },
    Subscriber
  >;

  /** Change the state of a subscriber. Requires a token whose user has the admin role or higher. */
  changeSubscriber: Call<
    {
      id: number;
    } & SubscriberChanges,
    Subscriber,
    IfMatch
  >;

  /** Delete a subscriber permanently. Nothing is left of the address, so that an import can add it again. */
  deleteSubscriber: Call<
    {
      id: number;
    },
    Message,
    IfMatch
  >;

  /** Download all subscribers as a table. Requires a token whose user has the admin role or higher. */
  exportSubscribers: Download<{}>;

  /** Add subscribers from a table. Comma-separated values (or with semicolons or tabs), as other programs export them. The first line names the columns: `email` is needed; `name`, `state` and a date are read if they are there. Addresses without a state count as confirmed. Nobody who has unsubscribed here is subscribed again. */
  importSubscribers: Call<{ body: Blob | ArrayBuffer | Uint8Array }, SubscriberImport>;

  /** List the posts that were sent to the subscribers, or will be. Requires a token whose user has the admin role or higher. */
  listNewsletterPosts: List<
    {
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
    },
    NewsletterPost
  >;

  /** Read whether a post is sent to the subscribers. Requires a token whose user has the admin role or higher. */
  readNewsletterPost: Call<
    {
      id: number;
    },
    NewsletterPost
  >;

  /** Send a post to the subscribers, as soon as everyone can see it. A post is sent once. Whoever makes it private or deletes it meanwhile stops it. */
  sendNewsletterPost: Call<
    {
      id: number;
    },
    NewsletterPost,
    IfMatch
  >;

  /** Do not send a post to the subscribers, or to no more of them. What has been stopped cannot be sent again. A post that still waits for its publication can. */
  stopNewsletterPost: Call<
    {
      id: number;
    },
    NewsletterPost,
    IfMatch
  >;

  /** Upload a file or create a directory. Fields may come before or after the file. Missing directories in `path` are created. */
  uploadFile: Call<Upload, File>;

  /** List a directory. Directories come first, then files, ordered by name. */
  listDirectory: List<
    {
      /** The directory. */
      path?: string | undefined;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page; has no effect without `cursor`. */
      pageSize?: number | undefined;
    },
    File,
    Shared
  >;

  /** Read a path. Returns a single object for a file, or an array of entries for a directory. */
  readPath: Call<
    {
      path: string;
    },
    File | File[],
    Shared
  >;

  /** Read the record of a file or directory. Requires no token. */
  readFile: Call<
    {
      id: number;
    },
    File,
    Shared
  >;

  /** Rename a file or directory, or change who can see it. Restricted to the owner and admins. */
  changeFile: Call<
    {
      id: number;
    } & FileChanges,
    File,
    IfMatch
  >;

  /** Move a file or directory to the trash. Restricted to the owner and admins. */
  deleteFile: Call<
    {
      id: number;
    },
    Message,
    IfMatch
  >;

  /** List the directory with this id. Like listing its path. */
  listEntries: List<
    {
      id: number;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page; has no effect without `cursor`. */
      pageSize?: number | undefined;
    },
    File,
    Shared
  >;

  /** Download a file. Supports conditional requests and single ranges. The owner and admins get the original bytes. Everyone else gets images and videos without location, serial numbers and embedded previews; the pixels are not changed. If this data cannot be removed (RAW files, AVI, damaged files), only the owner and admins can download the file. `size`, `sha256` and the `ETag` always refer to the bytes that the same caller downloads here, so a client can compare them and send the `ETag` as `If-Match` to replace the content. */
  readContent: Download<
    {
      id: number;
      /** If present, the browser saves the file instead of showing it. */
      download?: string | undefined;
      /** If present, the response contains the original bytes, or is an error if the caller is neither the owner nor an admin. */
      original?: string | undefined;
    },
    Shared
  >;

  /** Replace a file's content. The body is the new content; its `Content-Type` is ignored. The previous content is kept as a version. If `If-Match` is sent and the content has changed in the meantime, nothing is replaced and the response is 412. Restricted to the owner and admins. */
  replaceContent: Call<
    {
      id: number;
    } & { body: Blob | ArrayBuffer | Uint8Array },
    File,
    IfMatch
  >;

  /** Download a directory as a zip archive. Each file has the same bytes as a download of its `content`. A file that you may not download is replaced by a note. */
  zipDirectory: Download<
    {
      id: number;
    },
    Shared
  >;

  /** Download chosen files and directories as a zip archive. Each file has the same bytes as a download of its `content`. A file that you may not download is replaced by a note. A number is added to equal names. */
  zipFiles: Download<{
    /** Up to 500 files and directories. */
    ids: string;
  }>;

  /** Move a file or directory. Fails if the name is taken at the destination. Restricted to the owner and admins. */
  moveFile: Call<
    {
      id: number;
    } & Destination,
    File,
    Keyed
  >;

  /** Copy a file, or a directory with its contents. The copy belongs to the caller and shares the stored bytes with the original. If the name is taken, a number is added to it. Restricted to the owner and admins. */
  copyFile: Call<
    {
      id: number;
    } & Destination,
    File,
    Keyed
  >;

  /** Create a directory. Requires a token whose user has the author role or higher. */
  createDirectory: Call<NewDirectory, File, Keyed>;

  /** List your unfinished uploads, oldest first. Each upload counts towards your quota with its full `length` until it is finished, cancelled or expired. */
  listUploads: Call<{}, ResumableUpload[]>;

  /** Read the progress of an upload. tus clients send `HEAD` and resume from the returned `Upload-Offset`. Once the upload is finished, `Upload-File-ID` is the id of the file. */
  readUpload: Call<
    {
      id: number;
    },
    ResumableUpload
  >;

  /** Cancel an upload. If the upload is finished, its file is kept. */
  deleteUpload: Call<
    {
      id: number;
    },
    void,
    IfMatch
  >;

  /** Find which contents you have already uploaded. For clients that hash files before they upload them. Finds your own files that are not in the trash, for up to 1000 hashes, and at most 5 files for each. Files of other users are never found. */
  findKnownFiles: Call<FileHashes, KnownFile[]>;

  /** Find which sizes your files have. Returns those of up to 100 sizes in bytes that a file of yours has which is not in the trash. A file of any other size is new: a client need not hash it to find that out. */
  findKnownSizes: Call<FileSizes, number[]>;

  /** List the earlier versions of a file, newest first. Restricted to the owner and admins. */
  listVersions: List<
    {
      id: number;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page; has no effect without `cursor`. */
      pageSize?: number | undefined;
    },
    Version
  >;

  /** Download a version. Works like downloading a file: supports conditional requests, single ranges and `?download`. Restricted to the owner and admins. */
  readVersion: Download<{
    id: number;
    versionID: number;
    /** If present, the browser saves the file instead of showing it. */
    download?: string | undefined;
  }>;

  /** Restore a version as the file's content. The current content is kept as a new version. Restricted to the owner and admins. */
  restoreVersion: Call<
    {
      id: number;
      versionID: number;
    },
    File,
    Keyed
  >;

  /** Delete a version permanently. Restricted to the owner and admins. */
  deleteVersion: Call<
    {
      id: number;
      versionID: number;
    },
    Message
  >;

  /** List where a file is used. Photos of it, posts and albums with these photos, posts that embed the file, and share links to any of them or to a directory that contains it. For the owner and admins. At most 100 uses of each kind are listed. Restricted to the owner and admins. */
  listFileUses: Call<
    {
      id: number;
    },
    FileUses
  >;

  /** Change many photos. Up to 1,000 records in one transaction. What you may change is changed together, or not at all if the request fails; each id that was refused has its status and error. `POST /api/v1/trash/restore` restores what was moved to the trash. Adding photos to an album of yours, or removing them from it, needs only that you can see them. */
  changePhotos: Call<PhotoBatch, PhotoBatchResult, Keyed>;

  /** Create many photos from uploaded files. Up to 1,000 photos in one transaction, in this order. A photo that cannot be created has its status and error, and does not stop the others. */
  createPhotos: Call<NewPhotos, PhotosResult, Keyed>;

  /** Change or copy many files and directories. Up to 1,000 records in one transaction. What you may change is changed together, or not at all if the request fails; each id that was refused has its status and error. `POST /api/v1/trash/restore` restores what was moved to the trash. Copies belong to the caller and share the stored bytes with the originals; at most 10,000 files are copied by one request. */
  changeFiles: Call<FileBatch, FileBatchResult, Keyed>;

  /** Change who can see many blog posts, or move them to the trash. Up to 1,000 records in one transaction. What you may change is changed together, or not at all if the request fails; each id that was refused has its status and error. `POST /api/v1/trash/restore` restores what was moved to the trash. */
  changePosts: Call<RecordBatch, BatchResult, Keyed>;

  /** Change who can see many albums, or move them to the trash. Up to 1,000 records in one transaction. What you may change is changed together, or not at all if the request fails; each id that was refused has its status and error. `POST /api/v1/trash/restore` restores what was moved to the trash. */
  changeAlbums: Call<RecordBatch, BatchResult, Keyed>;

  /** Create a share link. Restricted to the owner of the record and admins. Whoever has the link can read the record and what lies in it, without signing in. The token is shown only in this response: it is stored as a hash. */
  createShare: Call<NewShare, NewShareResult>;

  /** List share links, newest first. Requires a token whose user has the reader role or higher. */
  listShares: List<
    {
      /** Whose links: your own, or, for admins, `all` or those of the user with this id. */
      owner?: string | undefined;
      /** Only links to records of this kind. */
      kind?: "photo" | "post" | "album" | "file" | "directory" | undefined;
      /** Only links to the record with this id; needs `kind`. */
      id?: number | undefined;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page; has no effect without `cursor`. */
      pageSize?: number | undefined;
    },
    Share
  >;

  /** Read a share link. Without its token. Links exist only for the owner of the record and admins. */
  readShare: Call<
    {
      id: number;
    },
    Share
  >;

  /** Change a share link. Omitted fields keep their values. The token stays the same. */
  changeShare: Call<
    {
      id: number;
    } & ShareChanges,
    Share,
    IfMatch
  >;

  /** Revoke a share link. It stops working at once. Pictures that wait for approval are deleted with it. */
  endShare: Call<
    {
      id: number;
    },
    Message,
    IfMatch
  >;

  /** Open a share link. Returns what the link in `X-Share-Token` leads to. Send the same headers with the requests that read the record: they reach it, what lies in it, and what is public. A token that is unknown, has expired or was revoked is a 404. */
  openShare: Call<{}, OpenedShare, Shared>;

  /** Send a picture through a share link. For links to albums and directories with `allowUpload`. A picture or a video, of at most 256 MiB. Only the link's owner can see it until it is approved. */
  uploadToShare: Call<GuestUpload, WaitingUpload, Shared>;

  /** List the pictures that wait for approval, oldest first. Requires a token whose user has the reader role or higher. */
  listShareUploads: Call<
    {
      id: number;
    },
    WaitingUpload[]
  >;

  /** Look at a picture that waits for approval. Requires a token whose user has the reader role or higher. */
  readShareUpload: Download<{
    id: number;
    uploadID: number;
  }>;

  /** Add a picture that waits for approval. It becomes a file of the link's owner in the shared directory, or a photo in the shared album. */
  approveShareUpload: Call<
    {
      id: number;
      uploadID: number;
    } & Approval,
    Approved,
    Keyed
  >;

  /** Delete a picture that waits for approval. Requires a token whose user has the reader role or higher. */
  rejectShareUpload: Call<
    {
      id: number;
      uploadID: number;
    },
    Message
  >;

  /** Search everything. Finds photos by title, description, camera and location, posts and comments by their text, and albums, files and directories by name. A record matches if it contains every search term, as a whole word or as the beginning of one. Case and accents do not matter; emoji are words. Titles that equal the query come first, then titles that contain it. Of very many matches, the newest are ranked. Only the first 32 words of a query count, and a search that takes longer than a second returns what it has found so far. With `cursor`, the first 1000 results can be read page by page. A location that is visible only to the owner is searched only for the owner. */
  search: List<
    {
      /** Search terms. Put a phrase in double quotes for an exact match. */
      q: string;
      /** Only records of this kind. */
      kind?: "photo" | "post" | "comment" | "album" | "file" | undefined;
      /** The maximum number of results; has no effect with `cursor`. */
      limit?: number | undefined;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page; has no effect without `cursor`. */
      pageSize?: number | undefined;
    },
    SearchResult
  >;

  /** List what you have deleted, newest first. Your own records, and records of others that you have removed. Records of yours that others have removed are not listed. */
  listTrash: List<
    {
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page; has no effect without `cursor`. */
      pageSize?: number | undefined;
    },
    TrashEntry
  >;

  /** Empty the trash permanently. Deletes your own records. Records of others that you have removed stay until they expire. */
  emptyTrash: Call<{}, Message>;

  /** Restore a deleted record, with everything that belongs to it. Allowed for the person who deleted it and admins. If the name of a file has been taken in the meantime, it gets another one. */
  restoreFromTrash: Call<
    {
      id: number;
    },
    Message,
    Keyed
  >;

  /** Restore many deleted records. Also undoes a deletion, without its entry in the trash. Everything you may restore is restored in one transaction; each record that was refused has its status and error. */
  restoreManyFromTrash: Call<TrashBatch, TrashBatchResult, Keyed>;

  /** Delete many records permanently. The records are deleted one after the other: if the request fails, some of them may be gone, and a repetition deletes the rest. Each record that was refused has its status and error. */
  deleteManyForGood: Call<TrashBatch, TrashBatchResult, Keyed>;

  /** Delete a record permanently. Allowed for an owner who deleted it themselves, and for admins. */
  deleteForGood: Call<
    {
      id: number;
    },
    Message
  >;

  /** Read how much space your files take. Admins get the report for everybody. The trash and versions count until they are permanently deleted. With more than 10,000 records, the report is counted at most once a minute. With `page` or `pageSize`, admins get one page of the users, those who store the most first, with the same headers as a list. A site with thousands of users should be read this way. */
  readStorage: Call<
    {
      /** Page number, starting at 1. */
      page?: number | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
    },
    StorageReport
  >;

  /** List who changed what, newest first. Admins see every change. Other users see what they did, and what was done to their records. Copying or moving a directory, and an import, is one change. */
  listActivity: List<
    {
      /** Only records of this kind. */
      kind?: string | undefined;
      /** Only the record with this id. */
      recordID?: number | undefined;
      /** Only what the user with this id did. */
      actor?: number | undefined;
      /** Only from this time on. */
      from?: string | undefined;
      /** Only before this time. */
      to?: string | undefined;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
    },
    Activity
  >;

  /** Read what may need your attention. For admins, on the whole site; for others, only what is theirs. */
  readAttention: Call<{}, Attention>;

  /** List the backups of the site. Requires a token whose user has the admin role or higher. */
  listBackups: Call<{}, Backups>;

  /** Begin to back up the site. The backup is made in the background: the list says when it is done. */
  createBackup: Call<{}, Message, Keyed>;

  /** List the records in a backup. Those that were permanently deleted come first. Reading a backup takes a few seconds. */
  listBackupContents: Call<
    {
      /** The id of the backup. Without it, the newest one. */
      backup?: string | undefined;
      /** Only records of this kind. */
      kind?: "photo" | "album" | "post" | "file" | "directory" | undefined;
      /** Only those whose title or name contains this. */
      search?: string | undefined;
      /** At most this many (50). */
      limit?: number | undefined;
    },
    BackupContents
  >;

  /** Restore one record from a backup. A record that was permanently deleted comes back as it was, with its bytes and what it needs: a photo with its file, a file with the directories above it, a directory with all that was in it, an album with its photos, a post with its comments. What exists, or is in the trash, stays as it is. Nothing becomes more public than it was. */
  restoreFromBackup: Call<RestoreFromBackup, RestoredFromBackup, Keyed>;

  /** Create a webhook. From now on, every matching change is sent to the URL as a signed POST request, including changes of private records. The secret is shown only in this response. A URL that is not on the public internet is refused, unless the server allows it. */
  createWebhook: Call<NewWebhook, CreatedWebhook>;

  /** List webhooks. Requires a token whose user has the admin role or higher. */
  listWebhooks: Call<{}, Webhook[]>;

  /** Read a webhook. Requires a token whose user has the admin role or higher. */
  readWebhook: Call<
    {
      id: number;
    },
    Webhook
  >;

  /** Change a webhook. Omitted fields keep their values. A webhook that is activated again gets the events from then on. */
  changeWebhook: Call<
    {
      id: number;
    } & WebhookChanges,
    Webhook,
    IfMatch
  >;

  /** Delete a webhook and its deliveries permanently. Requires a token whose user has the admin role or higher. */
  deleteWebhook: Call<
    {
      id: number;
    },
    Message,
    IfMatch
  >;

  /** List the deliveries of a webhook, newest first. Deliveries are kept for 30 days. */
  listWebhookDeliveries: List<
    {
      id: number;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
    },
    WebhookDelivery
  >;

  /** Send a test event. Sends the event `webhook.tested` once, and returns the result. The webhook need not be active. */
  testWebhook: Call<
    {
      id: number;
    },
    WebhookDelivery,
    Keyed
  >;

  /** Send a delivery again. The body is the same; the signature has the current time. */
  redeliverWebhook: Call<
    {
      id: number;
      deliveryID: number;
    },
    WebhookDelivery,
    Keyed
  >;

  /** Tell the site of a page that links to it (Webmention). The body is a form, as the W3C recommendation asks for, or JSON. The server reads the page later. If it links to the target, it becomes a comment that waits for approval; if it no longer does, or is gone, the comment is deleted. Sending it again updates the comment. */
  sendMention: Call<NewMention, Message, Keyed>;

  /** List the redirects of old addresses, newest first. Requires a token whose user has the admin role or higher. */
  listRedirects: List<
    {
      /** Only those whose old address contains this, in upper or lower case. */
      q?: string | undefined;
      /** Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`. */
      cursor?: string | undefined;
      /** Records per page. */
      pageSize?: number | undefined;
    },
    Redirect
  >;

  /** Add a redirect. The old address leads to the path with status 301, wherever this site has nothing else. If the path is that of a record, the redirect leads to the record, even if its own address changes, and only those who may see it. */
  createRedirect: Call<NewRedirect, Redirect, Keyed>;

  /** Read a redirect. Requires a token whose user has the admin role or higher. */
  readRedirect: Call<
    {
      id: number;
    },
    Redirect
  >;

  /** Change a redirect. Omitted fields keep their values. A redirect that was changed stays when the import that has added it is undone. */
  changeRedirect: Call<
    {
      id: number;
    } & RedirectChanges,
    Redirect,
    IfMatch
  >;

  /** Remove a redirect. Requires a token whose user has the admin role or higher. */
  removeRedirect: Call<
    {
      id: number;
    },
    Message,
    IfMatch
  >;

  /** Remove many redirects. Up to 1,000 in one transaction. Those that there are not have their error, and do not stop the others. */
  removeRedirects: Call<RedirectRemoval, BatchResult, Keyed>;

  /** Read the settings of the site. Requires a token whose user has the admin role or higher. */
  readSettings: Call<{}, Settings>;

  /** Change settings of the site. Omitted settings keep their values. A setting that comes from an environment variable can only be changed there. */
  changeSettings: Call<SettingsChanges, Settings, IfMatch>;

  /** Read whether mail works. Requires a token whose user has the admin role or higher. */
  readMailState: Call<{}, MailState>;

  /** Send a test mail. It is sent at once, and not tried again: the response says what the mail server has answered. */
  sendTestMail: Call<NewTestMail, TestMail>;

  /** Check that the process is alive. Requires no token. */
  readLiveness: Call<{}, Message>;

  /** Check that the server can handle requests. Requires no token. */
  readReadiness: Call<{}, Message>;

  /** Sign in with a browser (get a cookie). Sets a cookie that is valid for 30 days, or until `DELETE /session` or a password change. With it, pages of this site can use the API; a request from another site that changes something is refused. A form gets a redirect to `next`, or the page again. An account with a second factor gets 401 with `factor_required` and a `ticket` for `POST /session/factor`. */
  openSession: Call<NewSession, Session>;

  /** Sign out (revoke the browser's session). Also removes the cookie of a session that was already revoked or has expired. */
  closeSession: Call<{}, Message>;

  /** Take the second step of signing in with a browser. As `POST /api/v1/signin/factor`, with the cookie and the redirect of `POST /session`. */
  openSessionWithCode: Call<ContinuedSession, Session>;

  /** Sign in with a browser and a passkey (get a cookie). As `POST /api/v1/signin/passkey`, with the cookie of `POST /session`. */
  openSessionWithPasskey: Call<PasskeySignIn, Session>;

  /** Move the samples to the trash. The records that a new site was started with, without those that were changed since. */
  removeSamples: Call<{}, RemovedSamples>;

  /** Get the description of this API. An OpenAPI 3.1 document. */
  readOpenAPI: Call<{}, Record<string, unknown>>;
};

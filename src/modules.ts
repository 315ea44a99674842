import { activityModule } from "./core/activity/module.ts";
import { accountMailModule } from "./core/account-mail/module.ts";
import { addressesModule } from "./core/addresses/module.ts";
import { albumsModule } from "./content/albums/module.ts";
import { archivesModule } from "./features/archives/module.ts";
import { attentionModule } from "./features/attention/module.ts";
import { clockModule } from "./core/clock/module.ts";
import { backupsModule } from "./features/backups/module.ts";
import { batchesModule } from "./features/batches/module.ts";
import { blogModule } from "./content/blog/module.ts";
import { commentsModule } from "./content/comments/module.ts";
import { davModule } from "./features/dav/module.ts";
import { factorsModule } from "./core/factors/module.ts";
import { filesModule } from "./content/files/module.ts";
import { heartsModule } from "./features/hearts/module.ts";
import { keysModule } from "./core/keys/module.ts";
import { healthModule } from "./features/health/module.ts";
import { imagesModule } from "./core/images/module.ts";
import { importsModule } from "./features/imports/module.ts";
import { mailModule } from "./core/mail/module.ts";
import type { Module } from "./module.ts";
import { newsletterModule } from "./features/newsletter/module.ts";
import { openWebModule } from "./features/openweb/module.ts";
import { passkeysModule } from "./core/passkeys/module.ts";
import { photosModule } from "./content/photos/module.ts";
import { profilesModule } from "./features/profiles/module.ts";
import { noticesModule } from "./features/notices/module.ts";
import { oldAddressesModule } from "./core/redirects/module.ts";
import { redirectsModule } from "./features/redirects/module.ts";
import { searchModule } from "./features/search/module.ts";
import { settingRoutesModule } from "./features/settings/module.ts";
import { settingsModule } from "./core/settings/module.ts";
import { sharesModule } from "./features/shares/module.ts";
import { siteModule } from "./web/site/module.ts";
import { studioModule } from "./web/studio/module.ts";
import { storageModule } from "./core/storage/module.ts";
import { trashModule } from "./core/trash/module.ts";
import { uploadsModule } from "./features/uploads/module.ts";
import { usesModule } from "./features/uses/module.ts";
import { usersModule } from "./core/users/module.ts";
import { versionsModule } from "./features/versions/module.ts";
import { webhooksModule } from "./features/webhooks/module.ts";

/** Every module, in the order of the API document. */
export const modules: readonly Module[] = [
  usersModule,
  passkeysModule,
  accountMailModule,
  addressesModule,
  factorsModule,
  keysModule,
  archivesModule,
  photosModule,
  importsModule,
  blogModule,
  commentsModule,
  albumsModule,
  heartsModule,
  profilesModule,
  newsletterModule,
  filesModule,
  davModule,
  uploadsModule,
  versionsModule,
  usesModule,
  batchesModule,
  imagesModule,
  sharesModule,
  searchModule,
  trashModule,
  storageModule,
  activityModule,
  attentionModule,
  backupsModule,
  clockModule,
  webhooksModule,
  noticesModule,
  openWebModule,
  oldAddressesModule,
  redirectsModule,
  settingsModule,
  settingRoutesModule,
  mailModule,
  healthModule,
  siteModule,
  studioModule,
];

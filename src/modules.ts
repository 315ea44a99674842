import { activityModule } from "./activity/module.ts";
import { albumsModule } from "./albums/module.ts";
import { attentionModule } from "./attention/module.ts";
import { backupsModule } from "./backups/module.ts";
import { batchesModule } from "./batches/module.ts";
import { blogModule } from "./blog/module.ts";
import { commentsModule } from "./comments/module.ts";
import { filesModule } from "./files/module.ts";
import { healthModule } from "./health/module.ts";
import { imagesModule } from "./images/module.ts";
import { importsModule } from "./imports/module.ts";
import type { Module } from "./module.ts";
import { photosModule } from "./photos/module.ts";
import { searchModule } from "./search/module.ts";
import { settingsModule } from "./settings/module.ts";
import { sharesModule } from "./shares/module.ts";
import { siteModule } from "./site/module.ts";
import { studioModule } from "./studio/module.ts";
import { storageModule } from "./storage/module.ts";
import { trashModule } from "./trash/module.ts";
import { uploadsModule } from "./uploads/module.ts";
import { usesModule } from "./uses/module.ts";
import { usersModule } from "./users/module.ts";
import { versionsModule } from "./versions/module.ts";
import { webhooksModule } from "./webhooks/module.ts";

/** Every module, in the order of the API document. */
export const modules: readonly Module[] = [
  usersModule,
  photosModule,
  importsModule,
  blogModule,
  commentsModule,
  albumsModule,
  filesModule,
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
  webhooksModule,
  settingsModule,
  healthModule,
  siteModule,
  studioModule,
];

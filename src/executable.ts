// The entry of the executable (`npm run executable`): the program and its child processes are one file.
import { setLibraryCache } from "./platform/libraries.ts";
import { childWords } from "./platform/own-command.ts";

const [word, libraryCache = ""] = process.argv.slice(2);

switch (word) {
  case childWords.decoder:
    setLibraryCache(libraryCache);
    void import("./platform/images/decoder-process.ts");
    break;
  case childWords.renderer:
    void import("./platform/markdown/render-process.ts");
    break;
  case childWords.pageReader:
    void import("./features/openweb/page-process.ts");
    break;
  case childWords.placeChecker:
    void import("./platform/database/place-process.ts");
    break;
  case childWords.converter:
    endWithParent();
    void import("../convert/main.ts");
    break;
  case childWords.command:
    process.argv.splice(2, 1);
    endWithParent();
    void import("./main.ts");
    break;
  case childWords.writer:
    void import("./platform/database/writer-thread.ts");
    break;
  default:
    void import("./main.ts");
}

/** As the runtime's option --no-orphans, which an executable cannot get from its parent. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.exit(1), 200).unref();
}

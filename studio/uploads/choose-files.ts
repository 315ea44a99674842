import type { ChosenFile } from "./upload.ts";

type FileChoice = {
  /** A whole folder with what is in it. */
  isFolder?: boolean;
  /** Only one file. */
  isSingle?: boolean;
  /** Such as `image/*,video/*`. */
  accept?: string;
};

/** Opens the dialog of the browser. The list is empty if the person has chosen nothing. */
export function chooseFiles({ isFolder = false, isSingle = false, accept = "" }: FileChoice = {}): Promise<
  ChosenFile[]
> {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = !isSingle;
  input.accept = accept;
  input.webkitdirectory = isFolder;
  input.hidden = true;
  document.body.append(input);
  return new Promise((resolve) => {
    const finish = () => {
      resolve(readInput(input));
      input.remove();
    };
    input.addEventListener("change", finish);
    input.addEventListener("cancel", finish);
    input.click();
  });
}

function readInput({ files }: HTMLInputElement): ChosenFile[] {
  return [...(files ?? [])].filter(isWanted).map((file) => toChosen(file, file.webkitRelativePath));
}

/** `path` includes the name of the file, such as `Lisbon/day 2/1.jpg`. */
export function toChosen(file: File, path: string): ChosenFile {
  const directory = path.split("/").slice(0, -1).join("/");
  return directory ? { file, directory } : { file };
}

/** Systems put these into folders automatically. */
export const isWanted = ({ name }: { name: string }): boolean =>
  !/^(\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i.test(name);

import { useEffect, useRef } from "react";
import type { FindPicture } from "./embedded-pictures.ts";
import { createEditor, type Editor } from "./create-editor.ts";

type Props = {
  /** The text when the editor is shown. */
  text: () => string;
  label: string;
  hint: string;
  onChange: () => void;
  onFiles: (files: File[], at: number) => void;
  findPicture: FindPicture;
  /** Called with the editor, and with null before it goes. */
  onEditor: (editor: Editor | null) => void;
};

export function TextEditor(props: Props) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (!host.current) return;
    const { text, label, hint, findPicture } = latest.current;
    const editor = createEditor(host.current, {
      text: text(),
      label,
      hint,
      findPicture,
      onChange: () => latest.current.onChange(),
      onFiles: (files, at) => latest.current.onFiles(files, at),
    });
    latest.current.onEditor(editor);
    return () => {
      latest.current.onEditor(null);
      editor.destroy();
    };
  }, []);
  return <div ref={host} className="h-full min-h-0" />;
}

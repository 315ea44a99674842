import { isTerminal, openPrompt } from "../platform/prompt.ts";
import { UsageError } from "./command.ts";

/** Asks a question that only "y" or "yes" confirms. A script has to call the command with --yes. */
export async function confirm(command: string, question: string): Promise<boolean> {
  if (!isTerminal()) throw new UsageError(`${command} needs --yes if standard input is not a terminal.`);
  const prompt = openPrompt();
  try {
    return /^y(es)?$/i.test(await prompt.ask(question));
  } finally {
    prompt.close();
  }
}

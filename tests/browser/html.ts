import { HtmlValidate } from "html-validate";

const validator = new HtmlValidate({
  extends: ["html-validate:standard"],
  rules: {
    // Elements are written as XML, which HTML allows.
    "void-style": "off",
    "no-trailing-whitespace": "off",
    "long-title": "off",
    "prefer-native-element": "off",
    "no-redundant-role": "off",
    "no-inline-style": "error",
  },
});

/** What is wrong with the HTML, one line each. */
export async function findMarkupErrors(html: string): Promise<string[]> {
  const report = await validator.validateString(html);
  return report.results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector ?? ""})`),
  );
}

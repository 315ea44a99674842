/** `name` is the namespace and the local name. `text` is that of an element without children. */
export type XMLElement = { name: string; attributes: Record<string, string>; children: XMLElement[]; text: string };

/** What an element may contain. Everything that is not named is a fault. */
export type Rule = {
  text?: RegExp;
  required?: Record<string, RegExp>;
  optional?: Record<string, RegExp>;
  /** By name: their rule, and how many there may be. */
  children?: Record<string, [rule: Rule, least: number, most: number]>;
  /** Whether the children stand in the order of the rules. */
  isSequence?: true;
};

/** Where an element and what is in it break the rule, one line each. */
export function findFaults(element: XMLElement, rule: Rule): string[] {
  const { name, attributes, children, text } = element;
  const { required = {}, optional = {}, children: rules = {} } = rule;
  const faults: string[] = [];
  for (const [key, pattern] of Object.entries({ ...required, ...optional })) {
    const value = attributes[key];
    if (value === undefined ? key in required : !pattern.test(value)) faults.push(`${key}="${value}"`);
  }
  for (const key of Object.keys(attributes)) {
    if (!(key in required) && !(key in optional)) faults.push(`${key} is not allowed`);
  }
  if (rule.text && !rule.text.test(text)) faults.push(`the text "${text}"`);
  if (!rule.text && text.trim() !== "") faults.push("has a text");
  for (const [child, [, least, most]] of Object.entries(rules)) {
    const count = children.filter((each) => each.name === child).length;
    if (count < least || count > most) faults.push(`${count} × ${child}`);
  }
  if (rule.isSequence) {
    const places = children.map((child) => Object.keys(rules).indexOf(child.name));
    if (places.some((place, index) => place < (places[index - 1] ?? 0))) faults.push("the order of its children");
  }
  const below = children.flatMap((child) => {
    const found = rules[child.name]?.[0];
    return found ? findFaults(child, found) : [`${name}: ${child.name} is not allowed`];
  });
  return [...faults.map((fault) => `${name}: ${fault}`), ...below];
}

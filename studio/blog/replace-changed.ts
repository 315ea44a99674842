/** Changes a page to another version of it. Only elements that differ are replaced, so that pictures are not loaded again. */
export function replaceChanged(container: Element, next: Element): void {
  const before = [...container.children];
  const after = [...next.children];
  let start = 0;
  while (isSame(before[start], after[start])) start++;
  let end = 0;
  const max = Math.min(before.length, after.length) - start;
  while (end < max && isSame(before.at(-1 - end), after.at(-1 - end))) end++;
  const [old, renewed] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  if (old.length === renewed.length && old.every((one, index) => isSameBox(one, renewed[index]))) {
    for (const [index, one] of old.entries()) replaceChanged(one, renewed[index] ?? one);
    return;
  }
  const place = before[before.length - end] ?? null;
  for (const element of old) element.remove();
  for (const element of renewed) container.insertBefore(element, place);
}

const isSame = (one: Element | undefined, other: Element | undefined): boolean =>
  one !== undefined && other !== undefined && one.isEqualNode(other);

/** Whether both are the same but for the elements in them. */
function isSameBox(one: Element, other: Element | undefined): boolean {
  if (!other) return false;
  const hasText = ({ childNodes }: Element) =>
    [...childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim());
  return one.cloneNode(false).isEqualNode(other.cloneNode(false)) && !hasText(one) && !hasText(other);
}

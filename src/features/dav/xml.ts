export const davNamespace = "DAV:";

export type Attribute = { namespace: string; name: string; value: string };
export type Element = { namespace: string; name: string; attributes: Attribute[]; children: (Element | string)[] };

export const isElement = (child: Element | string): child is Element => typeof child !== "string";

/** Whether it is in the namespace `DAV:` and has this name. */
export const isDav = (element: Element, name: string): boolean =>
  element.namespace === davNamespace && element.name === name;

/** The elements in it that are in the namespace `DAV:` and have this name. */
export const childrenOf = ({ children }: Element, name: string): Element[] =>
  children.filter((child): child is Element => isElement(child) && isDav(child, name));

export const childOf = (element: Element, name: string): Element | null => childrenOf(element, name)[0] ?? null;

// Elements without a framework.

/** Builds an element: attributes that begin with "on" are listeners, those that are false or null are left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Sets a text only if it is another one, so that what stays costs no layout. */
export function say(element, text) {
  if (element.spoken !== text) {
    element.spoken = text;
    element.textContent = text;
  }
}

/** Sets an attribute only if it is another one; null takes it away. */
export function mark(element, name, value) {
  if (value === null || value === undefined || value === false) {
    if (element.hasAttribute(name)) {
      element.removeAttribute(name);
    }
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value);
  }
}

/** The element with this id, which the page is known to have. */
export function byId(id) {
  return document.getElementById(id);
}

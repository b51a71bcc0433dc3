// What the durability lint has found.

import { byId, h } from './dom.js';

/** Findings are shown one by one; those that differ only in their topic are one. */
export function showFindings(findings) {
  const badge = byId('findings-count');
  const warnings = findings.filter((each) => each.severity === 'warning').length;
  badge.hidden = warnings === 0;
  badge.textContent = warnings === 0 ? '' : `${warnings}`;
  badge.setAttribute('aria-label', `${warnings} warnings`);
  const root = byId('findings');
  const text = JSON.stringify(findings);
  if (root.shownFindings === text) {
    return;
  }
  root.shownFindings = text;
  if (findings.length === 0) {
    root.replaceChildren(h('p', { class: 'notice' }, 'Nothing found.'));
    return;
  }
  root.replaceChildren(h('ul', { class: 'findings' }, findings.map((each) =>
    h('li', { 'data-severity': each.severity },
      h('h3', {}, h('span', { class: 'severity' }, each.severity === 'warning' ? '▲ Warning' : '○ Note'), ' ', each.topic ?? 'The cluster'),
      h('p', {}, each.text),
      h('p', { class: 'soft' }, each.fix)))));
}

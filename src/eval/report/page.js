// The script of every page: sorts tables, shows the rows behind points, and unfolds all for print.
// Without it the page has all its texts, pictures and hover titles. Text enters elements by
// textContent only, so nothing from a file becomes HTML.
(() => {
'use strict';

const make = (tag, text, style) => {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  if (style) element.className = style;
  return element;
};

const download = (text, type, file) => {
  const link = make('a');
  link.href = URL.createObjectURL(new Blob([text], {type}));
  link.download = file;
  link.click();
  URL.revokeObjectURL(link.href);
};

// Tables. A click on a header sorts by its column, another the other way, a third as before.
const collator = new Intl.Collator(undefined, {numeric: true});

// Numbers come before words, and these before blanks.
const keyOf = text => {
  const word = text.trim();
  const number = /^(<|≤)?\s*([-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf))/i.exec(word);
  if (!number) return {rank: word === '' || word === '–' ? 2 : 1, word};
  const value = /inf/i.test(number[2]) ? (number[2][0] === '-' ? -Infinity : Infinity) : Number(number[2]);
  return {rank: 0, value, isBelow: number[1] === '<', word};
};

const compare = (a, b, sign) => {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.rank === 0 && a.value !== b.value) return a.value < b.value ? -sign : sign;
  if (a.rank === 0 && a.isBelow !== b.isBelow) return a.isBelow ? -sign : sign;
  return a.rank === 0 ? 0 : sign * collator.compare(a.word, b.word);
};

const makeSortable = table => {
  const body = table.tBodies[0], rows = [...body.rows], headers = [...table.tHead.rows[0].cells];
  if (rows.length < 2) return;
  headers.forEach((header, column) => {
    const button = make('button');
    button.type = 'button';
    button.append(...header.childNodes);
    header.append(button);
    header.setAttribute('aria-sort', 'none');
    button.addEventListener('click', () => {
      const [first, second] = header.classList.contains('right') ? ['descending', 'ascending']
                                                                 : ['ascending', 'descending'];
      const now = header.getAttribute('aria-sort');
      const next = now === 'none' ? first : now === first ? second : 'none';
      for (const other of headers) other.setAttribute('aria-sort', 'none');
      header.setAttribute('aria-sort', next);
      const keyed = rows.map(row => ({row, key: keyOf(row.cells[column]?.textContent ?? '')}));
      if (next !== 'none') keyed.sort((a, b) => compare(a.key, b.key, next === 'ascending' ? 1 : -1));
      body.append(...keyed.map(each => each.row));
    });
  });
};

for (const table of document.querySelectorAll('table')) makeSortable(table);

// Points. A click on one shows its title, and the rows that the page holds of it.
const store = document.getElementById('rows');
const data = store ? JSON.parse(store.textContent) : {header: [], rows: []};
const panel = make('section', '', 'panel');
panel.hidden = true;
panel.setAttribute('aria-label', 'Rows of a point');
let chosen = null;

const hide = () => {
  if (!chosen) return;
  chosen.classList.remove('chosen');
  chosen = null;
  panel.hidden = true;
};

const tableOf = rows => {
  const isNumber = data.header.map((_, i) => rows.every(row => keyOf(row[i] ?? '').rank !== 1));
  const side = i => isNumber[i] && i > 0 ? 'right' : 'left';
  const table = make('table', '', 'long'), head = make('tr'), body = make('tbody');
  data.header.forEach((name, i) => head.append(make('th', name, side(i))));
  for (const row of rows) {
    const line = make('tr');
    row.forEach((text, i) => {
      const cell = make('td', text, side(i));
      cell.dataset.name = data.header[i];
      line.append(cell);
    });
    body.append(line);
  }
  table.append(make('thead'), body);
  table.tHead.append(head);
  makeSortable(table);
  const frame = make('div', '', 'table');
  frame.append(table);
  return frame;
};

const show = point => {
  hide();
  chosen = point;
  point.classList.add('chosen');
  const header = make('header'), about = make('div'), close = make('button', 'Close', 'close');
  about.append(make('p', point.querySelector('title').textContent, 'title'));
  close.type = 'button';
  close.addEventListener('click', () => { const last = chosen; hide(); last?.focus(); });
  header.append(about, close);
  panel.replaceChildren(header);
  if (point.dataset.count) {
    const places = point.dataset.rows.split(' ').filter(place => place !== '');
    const more = point.dataset.count - places.length;
    if (more > 0) about.append(make('p', `${places.length} rows, and ${more} more in the file`, 'note'));
    if (places.length > 0) panel.append(tableOf(places.map(place => data.rows[place])));
  }
  panel.hidden = false;
  panel.scrollTop = 0;
};

// One stop of the tab key a picture; arrows go from point to point.
for (const picture of document.querySelectorAll('figure svg')) {
  const points = [...picture.querySelectorAll('.point')];
  points.forEach((point, i) => {
    point.setAttribute('role', 'button');
    point.setAttribute('aria-label', point.querySelector('title').textContent);
    point.setAttribute('tabindex', i === 0 ? '0' : '-1');
    point.addEventListener('click', () => show(point));
    point.addEventListener('keydown', event => {
      const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        show(point);
      } else if (step) {
        event.preventDefault();
        const next = points[(i + step + points.length) % points.length];
        point.setAttribute('tabindex', '-1');
        next.setAttribute('tabindex', '0');
        next.focus();
      }
    });
  });
}
if (document.querySelector('.point[data-count]')) {
  document.querySelector('.pictures').before(make('p', 'A click on a point shows its rows.', 'note hint'));
}
document.body.append(panel);
document.addEventListener('keydown', event => {
  if (event.key !== 'Escape' || !chosen) return;
  const last = chosen;
  hide();
  last.focus();
});

// Pictures are saved with the page's style for light.
const svgOf = picture => {
  const copy = picture.cloneNode(true), style = document.createElementNS(copy.namespaceURI, 'style');
  const rules = [...document.styleSheets[0].cssRules].filter(rule => rule instanceof CSSStyleRule);
  style.textContent = rules.map(rule => rule.cssText).join('\n').replace('light dark', 'light');
  copy.prepend(style);
  const [width, height] = copy.getAttribute('viewBox').split(' ').slice(2);
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  copy.setAttribute('xmlns', copy.namespaceURI);
  return new XMLSerializer().serializeToString(copy);
};

for (const figure of document.querySelectorAll('figure')) {
  const caption = figure.querySelector('figcaption'), save = make('button', 'Save as SVG', 'close');
  const file = caption.textContent.trim().toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-') + '.svg';
  save.type = 'button';
  save.addEventListener('click', () => download(svgOf(figure.querySelector('svg')), 'image/svg+xml', file));
  caption.append(' ', save);
}

// Sheets. The last column of a reading table is filled in, and saved as CSV.
const sheetStore = document.getElementById('sheet');
if (sheetStore) {
  const sheet = JSON.parse(sheetStore.textContent), name = 'rubric ' + sheet.signature;
  const kept = (() => { try { return JSON.parse(localStorage.getItem(name)) || {}; } catch { return {}; } })();
  const inputs = [...document.querySelectorAll('.reading tbody tr')].map((row, i) => {
    const input = make('input'), cell = row.cells[row.cells.length - 1];
    input.value = kept[i] ?? sheet.rows[i][0];
    input.setAttribute('aria-label', cell.dataset.name);
    cell.replaceChildren(input);
    return input;
  });
  const state = make('span', '', 'note'), save = make('button', 'Save as CSV', 'close'), bar = make('p');
  const count = () => {
    const labels = inputs.map(input => input.value.trim()).filter(Boolean);
    const isNumber = label => /^[-+]?(\d+\.?\d*|\.\d+)$/.test(label);
    const numbers = labels.filter(isNumber), isBinary = numbers.every(number => [0, 1].includes(Number(number)));
    const known = [...sheet.words_of_no_label, ...(isBinary ? sheet.label_words : [])];  // yes is 1 beside 0 and 1 alone
    const words = labels.filter(label => !isNumber(label) && !known.includes(label.toLowerCase()));
    const told = numbers.length && words.length ? `; no numbers, as other labels are: ${[...new Set(words)].join(', ')}` : '';
    state.textContent = ` ${labels.length} of ${inputs.length} filled in${told}`;
  };
  inputs.forEach((input, i) => {
    input.addEventListener('input', () => {
      kept[i] = input.value;
      try { localStorage.setItem(name, JSON.stringify(kept)); } catch { /* without a store: saved as CSV alone */ }
      count();
    });
    input.addEventListener('keydown', event => {
      const step = {Enter: event.shiftKey ? -1 : 1, ArrowDown: 1, ArrowUp: -1}[event.key];
      const next = step && inputs[i + step];
      if (!next) return;
      event.preventDefault();
      next.focus();
      next.select();
      next.closest('tr').scrollIntoView({block: 'center'});
    });
  });
  const quoted = text => /[",\r\n]|^\s|\s$/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  save.type = 'button';
  save.addEventListener('click', () => {
    const rows = sheet.rows.map((row, i) => [inputs[i].value.trim(), ...row.slice(1)]);
    const text = [sheet.header, ...rows].map(row => row.map(quoted).join(',') + '\n').join('');
    download(text, 'text/csv', sheet.file);
  });
  bar.append(save, state);
  bar.className = 'save';
  document.querySelector('.reading').classList.add('sheet');
  document.querySelector('.reading').after(bar);
  count();
  inputs.find(input => !input.value)?.focus();
}

// Print: all is unfolded, where the style cannot do it.
let unfolded = [];
addEventListener('beforeprint', () => {
  unfolded = [...document.querySelectorAll('details:not([open])')];
  for (const details of unfolded) details.open = true;
});
addEventListener('afterprint', () => {
  for (const details of unfolded) details.open = false;
  unfolded = [];
});
})();

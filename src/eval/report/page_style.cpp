// The style of every page. The palette is Okabe and Ito's, whose colours colour-blind readers can
// distinguish, without yellow, which is invisible on white; lighter on dark.
#include "eval/report/html.h"

namespace rubric::eval {

const char* const kPageStyle = R"css(
:root { color-scheme: light dark; --ground: #fff; --raised: #f5f7f9; --ink: #1c2127; --faint: #59636e;
  --line: #d5dce3; --chosen: #fff3d6; --s0: #0072b2; --s1: #d55e00; --s2: #009e73; --s3: #cc79a7;
  --s4: #56b4e9; --s5: #e69f00; --s6: #1c2127; }
@media screen and (prefers-color-scheme: dark) { :root { --ground: #14181d; --raised: #1d232a;
  --ink: #e3e8ee; --faint: #98a3af; --line: #343c46; --chosen: #4a3c12; --s0: #5ab4ee; --s1: #ff8b45;
  --s2: #35c79f; --s3: #e39fc6; --s4: #a5d8f8; --s5: #f2bd4b; --s6: #e3e8ee; } }
* { box-sizing: border-box; }
html { background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 74rem; padding: 2.5rem 1.5rem 4rem; }
h1 { font-size: 1.75rem; font-weight: 650; letter-spacing: -0.01em; line-height: 1.2; margin: 0 0 0.75rem; }
h2 { font-size: 1rem; font-weight: 650; margin: 2.5rem 0 0.5rem; }
h1, p { overflow-wrap: anywhere; }
p { margin: 0.25rem 0; max-width: 60rem; }
body > p { color: var(--faint); }
.title, summary { font-weight: 650; }
body > .title { color: var(--ink); }
.title { margin: 2.25rem 0 0; }
details { margin: 1rem 0 0; } .title + details { margin-top: 2rem; }
summary { cursor: pointer; overflow-wrap: anywhere; padding: 0.35rem 0; }
summary:hover { color: var(--s0); }
.note { color: var(--faint); font-size: 0.875rem; line-height: 1.45; }
.signature { background: var(--raised); border-radius: 6px; color: var(--ink);
  font: 0.8125rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; margin: 0.4rem 0; max-width: none;
  padding: 0.45rem 0.7rem; }

.table { margin: 0.5rem 0 0.6rem; max-height: 85vh; overflow: auto; width: fit-content; max-width: 100%; }
table { border-collapse: separate; border-spacing: 0; }
th, td { border-bottom: 1px solid var(--line); padding: 0.4rem 0.9rem; white-space: nowrap; }
th { background: var(--ground); color: var(--faint); font-size: 0.875rem; font-weight: 600;
  position: sticky; top: 0; vertical-align: bottom; z-index: 1; }
thead th { border-bottom: 1.5px solid var(--faint); }
td { font-variant-numeric: tabular-nums; vertical-align: top; }
th:first-child, td:first-child { background: var(--ground); left: 0; padding-left: 0; position: sticky; }
th:first-child { z-index: 2; }
tbody tr:hover td { background: var(--raised); }
.left { text-align: left; } .right { text-align: right; }
.long .left { min-width: 8rem; overflow-wrap: anywhere; white-space: normal; }
.ends { color: var(--faint); font-size: 0.8125rem; }
.bar { display: block; height: 8px; margin: 2px 0 1px auto; min-width: 6rem; width: 100%; }
th button { background: none; border: 0; color: inherit; cursor: pointer; font: inherit; padding: 0;
  text-align: inherit; }
th button:hover { color: var(--ink); }
.left button::after, .right button::before { content: "\2195"; display: inline-block; margin: 0 0.2em; opacity: 0.35; }
.left[aria-sort=ascending] button::after, .right[aria-sort=ascending] button::before { content: "\2191"; opacity: 1; }
.left[aria-sort=descending] button::after, .right[aria-sort=descending] button::before { content: "\2193"; opacity: 1; }
[aria-sort=ascending], [aria-sort=descending] { color: var(--ink); }
:focus-visible { outline: 2px solid var(--s0); outline-offset: 2px; }

.pictures { columns: 2 26rem; column-gap: 1.25rem; margin: 1.25rem 0; }
figure { break-inside: avoid; margin: 0 0 1.25rem; }
.hint { margin: 1.5rem 0 -0.75rem; }
figure svg { background: var(--ground); border: 1px solid var(--line); border-radius: 8px; display: block;
  height: auto; width: 100%; }
figcaption { color: var(--faint); font-size: 0.875rem; line-height: 1.4; margin-top: 0.4rem; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
svg .tick { fill: var(--faint); font-size: 11px; font-variant-numeric: tabular-nums; }
svg .small { font-size: 10.5px; }
svg .middle { text-anchor: middle; } svg .end { text-anchor: end; }
svg .halo { paint-order: stroke; stroke: var(--ground); stroke-width: 5px; }
.grid, .track { stroke: var(--line); stroke-width: 1; }
.zero, .axis { stroke: var(--faint); stroke-width: 1; }
.bar * { vector-effect: non-scaling-stroke; }
.bar .zero { opacity: 0.6; }
.bar .interval { opacity: 0.55; stroke: var(--s0); stroke-width: 4; }
.bar .value { stroke: var(--s0); stroke-width: 2; }
figure .line { fill: none; stroke: currentColor; stroke-linejoin: round; stroke-width: 2; }
figure .interval { stroke: currentColor; stroke-width: 2; }
.mark { fill: currentColor; }
.circles .mark { fill-opacity: 0.45; stroke: currentColor; stroke-width: 0.75; }
.target { fill: transparent; } .point:hover .target, .point:focus-visible .target, .chosen .target { fill: currentColor; fill-opacity: 0.2; }
.box { fill: var(--raised); stroke: var(--faint); stroke-width: 1; }
.point { outline: none; }
.point[role=button] { cursor: pointer; }
.point:hover .mark, .point:focus-visible .mark, .chosen .mark { stroke: var(--ink); stroke-width: 2; }
.point:hover > .line, .point:hover .interval, .chosen .interval { stroke-width: 4; }
.s0 { color: var(--s0); } .s1 { color: var(--s1); } .s2 { color: var(--s2); } .s3 { color: var(--s3); }
.s4 { color: var(--s4); } .s5 { color: var(--s5); } .s6 { color: var(--s6); }

.panel { background: var(--ground); border-top: 1px solid var(--line); bottom: 0; box-shadow: 0 -6px 24px #0003;
  left: 0; max-height: 46vh; overflow: auto; padding: 0 max(1.5rem, calc(50vw - 35.5rem)) 1.5rem; position: fixed;
  right: 0; z-index: 5; }
.panel[hidden] { display: none; }
.panel header { align-items: baseline; background: var(--ground); display: flex; gap: 1rem; left: 0;
  padding: 0.8rem 0 0.5rem; position: sticky; top: 0; z-index: 4; }
.panel .title { margin: 0; } .panel header div { flex: 1; min-width: 0; }
.panel .table { max-height: none; overflow: visible; } .panel table { width: 100%; }
.panel th { position: static; white-space: normal; } .panel td { font-size: 0.875rem; }
.panel th, .panel td { padding: 0.35rem 0.6rem; } .panel .left { min-width: 3.5rem; overflow-wrap: break-word; }
.panel [aria-sort=none] button::before, .panel [aria-sort=none] button::after { content: none; }
.close { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; color: inherit; cursor: pointer;
  font: inherit; font-size: 0.875rem; padding: 0.2rem 0.7rem; }

.reading { margin-top: 1.25rem; width: 100%; }
.reading td { overflow-wrap: anywhere; white-space: normal; } .reading th, .reading td { padding: 0.4rem 0.5rem; }
.reading th:last-child { min-width: 9rem; text-align: left; } .reading td:last-child { border: 1px solid var(--line); }
.reading th { min-width: 4.25rem; overflow-wrap: anywhere; text-align: left; white-space: normal; } .reading td:first-child { position: static; }
.sheet th { min-width: 11rem; } .sheet th:last-child { min-width: 0; } .sheet input { width: 7rem; }
.save { background: var(--ground); bottom: 0; margin: 0; max-width: none; padding: 0.75rem 0; position: sticky; }

@media screen and (max-width: 60rem) { .reading, .reading tbody, .long, .long tbody { display: block; }
  .reading thead, .long thead { display: block; }
  .reading thead tr, .long thead tr { display: flex; flex-wrap: wrap; gap: 0 0.9rem; margin-bottom: 0.75rem; }
  .reading th, .table .long th { border: 0; max-width: none; min-width: 0; padding: 0.1rem 0; position: static; }
  .reading tbody tr, .long tbody tr { border-top: 1px solid var(--line); display: block; padding: 0.6rem 0; }
  .reading td, .table .long td { background: none; border: 0; display: block; font-size: 0.875rem; max-width: none;
    overflow-wrap: anywhere; padding: 0.1rem 0; position: static; text-align: left; white-space: normal; }
  .reading td::before, .long td::before { color: var(--faint); content: attr(data-name) ": "; }
  .reading td:last-child { border: 1px solid var(--line); border-radius: 6px; min-height: 2.5rem; padding: 0.2rem 0.4rem; } }

@media screen and (max-width: 40rem) { body { padding: 1.25rem 1rem 3rem; } h1 { font-size: 1.375rem; }
  .table th, .table td { font-size: 0.8125rem; padding: 0.35rem 0.3rem; } .table .long td { font-size: 0.875rem; }
  .table th, .table td.interval { white-space: normal; }
  .table [aria-sort=none] button::before, .table [aria-sort=none] button::after { content: none; }
  .long [aria-sort=none].left button::after { content: "\2195"; }
  .ends { display: block; font-size: 0.6875rem; white-space: nowrap; } .bar { min-width: 4rem; }
  .table td:first-child, .table th:first-child { max-width: 8rem; overflow-wrap: break-word; padding-left: 0; white-space: normal; }
  .panel { max-height: 60vh; padding: 0 1rem 1rem; } }

@media print { html { font-size: 10pt; } body { max-width: none; padding: 0; }
  .table { max-height: none; overflow: visible; } table { font-size: 8pt; } th, td { padding: 0.15rem 0.5rem; }
  th, td, th:first-child, td:first-child { position: static; white-space: normal; }
  tr, .note { break-inside: avoid; } .title, summary { break-after: avoid; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  th button::before, th button::after, .close, .hint { display: none !important; } .panel { box-shadow: none; max-height: none; position: static; }
  .pictures { columns: 2 8cm; } figure { margin-bottom: 0.8rem; } figure svg { max-height: 22cm; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
)css";

}  // namespace rubric::eval

import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Health } from '../bus/contracts/verbs.ts';

const READS = ['health', 'provisions', 'plans', 'asks', 'provisioning'];
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The seat in one page: its gate, its faults and where to read on. Nothing in it comes from elsewhere. */
export function page(context: Context, health: Health | undefined): Response | Promise<Response> {
  context.header('content-security-policy', POLICY);
  context.header('cache-control', 'no-store');
  return context.html(html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>mesh-provisioner</title>
        <style>
          :root { color-scheme: light dark; font: 16px/24px system-ui, sans-serif; }
          body { max-width: 64rem; margin: 24px auto; padding: 0 16px; }
          dt { font-weight: 600; }
        </style>
      </head>
      <body>
        <h1>mesh-provisioner</h1>
        ${health === undefined ? html`<p>The seat is starting.</p>` : standing(health)}
        <h2>Read on</h2>
        <ul>
          ${READS.map((verb) => html`<li><a href="/api/${verb}">/api/${verb}</a></li>`)}
        </ul>
      </body>
    </html>`);
}

function standing({ gate, faults, asks, seat }: Health) {
  return html`
    <p>Held by ${seat.instance}, epoch ${seat.epoch}. ${asks.open} asks open, ${asks.waiting} waiting.</p>
    <h2>Gate: ${gate.open ? 'open' : 'shut'}</h2>
    <ul>
      ${gate.missing.map(({ read, since, why }) => html`<li>${read}: ${why}, since ${since}</li>`)}
    </ul>
    <h2>Faults: ${faults.length === 0 ? 'none' : faults.length}</h2>
    <dl>
      ${faults.map(({ kind, says, cause, clears }) => html`<dt>${kind}: ${says}</dt><dd>Likely because ${cause}. Clears when ${clears}.</dd>`)}
    </dl>`;
}

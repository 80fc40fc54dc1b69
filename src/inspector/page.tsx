import { goBack, useAddress } from './address.ts';
import { Bar } from './bar.tsx';
import { useStore } from './hooks.ts';
import { useKeys } from './keyboard.ts';
import { MeshView } from './mesh/mesh.tsx';
import type { Link, Mesh } from './store.ts';
import { Ago } from './time.tsx';

export function Page() {
  const link = useStore((state) => state.link);
  const mesh = useStore((state) => state.mesh);
  useKeys({ Escape: goBack });
  const isStale = link.is === 'lost' || link.is === 'away';
  return (
    <>
      <a class="skip" href="#main">
        Skip to the view
      </a>
      <Bar mesh={mesh} link={link} past={undefined} />
      {isStale && <Notice link={link} mesh={mesh} />}
      <main id="main" class={isStale ? 'stale' : ''}>
        {mesh === undefined ? <Waiting link={link} /> : <View mesh={mesh} />}
      </main>
    </>
  );
}

function View({ mesh }: { mesh: Mesh }) {
  const { view } = useAddress();
  switch (view.of) {
    default:
      return <MeshView mesh={mesh} />;
  }
}

/** What is shown under it is old: it says since when, and what mends it. */
function Notice({ link, mesh }: { link: Link; mesh: Mesh | undefined }) {
  if (link.is !== 'lost' && link.is !== 'away') return null;
  return (
    <div class="notice" role="alert">
      <p>
        {link.is === 'lost' ? 'Nobody answers here' : sentence(link.says)}, since <Ago at={link.since} />.
        {mesh !== undefined && ' What is shown below is how it stood then.'}
      </p>
      {link.is === 'lost' && (
        <p>
          Is it running? <code>mesh-provisioner serve</code> starts it. This page comes back by itself.
        </p>
      )}
    </div>
  );
}

function Waiting({ link }: { link: Link }) {
  return (
    <p class="nothing">
      {link.is === 'opening' ? 'Asking the seat how the mesh stands…' : 'There is nothing to show until the seat answers.'}
    </p>
  );
}

function sentence(says: string): string {
  return says.charAt(0).toUpperCase() + says.slice(1);
}

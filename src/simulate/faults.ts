import { counted, type Happening, HOUR_MS, type Kind, later, MINUTE_MS, type Stage } from './happening.ts';
import type { Instance } from './seats.ts';

/** What goes wrong with the bus, and with the processes that would hold the seat. */
export const faults: Readonly<Record<string, Kind>> = {
  'the seat is cut off': seatFault(3, ({ bus, link }, stage, happening) => {
    bus.connect(false);
    later(stage, happening, HOUR_MS, () => link.isCut && bus.connect(true));
  }),
  'a watch is lost': seatFault(3, ({ bus }, _, { bucket }) => bus.loseWatches(bucket, 'the server ended it')),
  'a watch is silent': seatFault(2, ({ bus }, _, { bucket }) => bus.silence(bucket)),
  'a bucket is late': seatFault(3, ({ link }, stage, happening) => {
    link.late.set(happening.bucket, Math.min(happening.forMs, 2 * MINUTE_MS));
    later(stage, happening, HOUR_MS, () => link.late.delete(happening.bucket));
  }),
  'messages are lost': seatFault(3, ({ link }, stage, happening) => {
    link.lost = share(happening);
    later(stage, happening, HOUR_MS, () => {
      link.lost = 0;
    });
  }),
  'messages come twice': seatFault(2, ({ link }, stage, happening) => {
    link.doubled = share(happening);
    later(stage, happening, HOUR_MS, () => {
      link.doubled = 0;
    });
  }),
  'a bucket is forbidden': seatFault(2, ({ link, bus }, stage, happening) => {
    link.forbidden.add(happening.bucket);
    bus.loseWatches(happening.bucket, `bucket ${happening.bucket} may not be read`);
    later(stage, happening, HOUR_MS, () => link.forbidden.delete(happening.bucket));
  }),
  'a bucket is full': seatFault(2, ({ link }, stage, happening) => {
    link.full.add(happening.bucket);
    later(stage, happening, HOUR_MS, () => link.full.delete(happening.bucket));
  }),
  'the seat is killed': seatFault(4, (seat, { seats }, { forMs }) => seats.kill(seat, Math.min(forMs, 10 * MINUTE_MS))),
  'the seat is frozen': seatFault(2, ({ process }, stage, happening) => {
    process.freeze();
    later(stage, happening, HOUR_MS, () => process.thaw());
  }),
  'the clock jumps': seatFault(2, ({ process }, _, { forMs }) => process.jump(Math.min(forMs, HOUR_MS))),
  'another seat starts': {
    weight: 2,
    befall({ seats }) {
      if (seats.alive.length < 2) seats.start();
    },
  },
  'a bucket is made anew, empty': { weight: 2, befall: (stage, happening) => loseBucket(stage, happening, 1) },
  'a bucket is made anew, and filled in pieces': { weight: 2, befall: (stage, happening) => loseBucket(stage, happening, 5) },
  'an entry cannot be read': {
    weight: 2,
    befall(stage, happening) {
      const { world } = stage;
      const { bucket } = happening;
      const key = counted(world.keysIn(bucket), happening);
      if (key === undefined || !isInput(bucket)) return;
      const meant = world.garble(bucket, key);
      later(stage, happening, HOUR_MS, meant);
    },
  },
  'the router forgets': { weight: 1, befall: ({ world }) => world.forget('mesh-router_asks') },
};

function seatFault(weight: number, befall: (seat: Instance, stage: Stage, happening: Happening) => void): Kind {
  return {
    weight,
    befall(stage, happening) {
      const seat = counted(stage.seats.alive, happening);
      if (seat !== undefined) befall(seat, stage, happening);
    },
  };
}

function loseBucket(stage: Stage, happening: Happening, pieces: number): void {
  const { world } = stage;
  const { bucket } = happening;
  if (!isInput(bucket)) return;
  world.lose(bucket);
  later(stage, happening, HOUR_MS, () => world.restore(bucket, pieces));
}

/** What others than the seat write. */
function isInput(bucket: string): boolean {
  return /^mesh-(placement|controller|host|indexer)_/.test(bucket);
}

function share({ which }: Happening): number {
  return 0.02 + (which % 30) / 100;
}

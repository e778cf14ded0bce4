const { HeartsGame } = await import("./hearts_engine.mjs");

class Game {
  static MATCHES = true;

  constructor(setup) {
    console.log("a new deal");
    if (setup.deal === 99) throw new Unsupported(`deal ${setup.deal}`);
    const start = setup.match ? { match: { dealer: setup.dealer } } : { setup };
    this.engine = new HeartsGame(OPTIONS, PLAYERS, start);
    if (setup.match) this.deal(setup);
  }
  deal({ dealer, hands }) {
    this.other(dealer, { deal: { hands } });
  }
  due() {
    const { turn, ...due } = this.engine.legal();
    if ("over" in due) return ["over"];
    if ("pass" in due) return ["pass", OPTIONS.pass_count];
    if ("deal" in due) return ["deal", turn[0]];
    const [[kind, what]] = Object.entries(due);
    return [kind, turn[0], kind === "play" ? cards(what) : what];
  }
  passAll(packets) {
    packets.forEach((packet, seat) => this.other(seat, { pass: packet.join(" ") }));
  }
  play(seat, card) {
    return this.other(seat, { play: card });
  }
  other(seat, what) {
    if ("claim" in what) throw new TypeError(`seat ${seat} "claims"\x01`);
    const broken = this.engine.breaks(seat, what);
    const revoke = "play" in what && this.engine.isIrregular(broken);
    if (broken.length && !revoke) throw new Refused();
    this.engine.apply(seat, what, broken);
    return broken.length > 0;
  }
  observe() {
    return this.engine.observe();
  }
}

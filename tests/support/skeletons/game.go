// A tiny engine that takes all passes at once.

const order = "23456789TJQKA"

const matches = true

// Game is one deal, or a match of them.
type Game struct {
	setup   Setup
	totals  [4]int // before the deal
	hands   [4][]string
	taken   [4][]string
	tricks  [4]int
	table   []string
	turn    int
	passing bool
	broken  bool
}

func suit(card string) byte { return card[1] }

func points(cards []string) int {
	sum := 0
	for _, card := range cards {
		if suit(card) == 'H' {
			sum++
		} else if card == "QS" {
			sum += 13
		}
	}
	return sum
}

func newGame(setup Setup) (*Game, error) {
	fmt.Println("a new deal")
	if setup.Deal == 99 {
		return nil, unsupported("deal %d", setup.Deal)
	}
	game := begun(setup)
	copy(game.totals[:], setup.Totals)
	return game, nil
}

func (game *Game) deal(setup Setup) error {
	if !game.isOver() || game.matchIsOver() {
		return errRefused
	}
	totals := game.totalsNow()
	*game = *begun(setup)
	game.totals = totals
	return nil
}

func begun(setup Setup) *Game {
	game := &Game{setup: setup, passing: setup.Deal%4 != 0}
	for seat, hand := range setup.Hands {
		game.hands[seat] = strings.Fields(hand)
	}
	game.findLeader()
	return game
}

func (game *Game) findLeader() {
	for seat, hand := range game.hands {
		if slices.Contains(hand, "2C") {
			game.turn = seat
		}
	}
}

func (game *Game) due() (Due, error) {
	switch {
	case game.passing:
		return Due{Kind: "pass", Count: 3}, nil
	case game.isOver() && game.setup.Match && !game.matchIsOver():
		return Due{Kind: "deal", Seat: (game.setup.Dealer + 1) % 4}, nil
	case game.isOver():
		return Due{Kind: "over"}, nil
	}
	return Due{Kind: "play", Seat: game.turn, Cards: game.allowed()}, nil
}

func (game *Game) isOver() bool {
	return game.tricks[0]+game.tricks[1]+game.tricks[2]+game.tricks[3] == 13
}

func (game *Game) matchIsOver() bool {
	limit, _ := strconv.Atoi(options["limit"])
	totals := game.totalsNow()
	return slices.Max(totals[:]) >= limit
}

func (game *Game) pointsTaken() [4]int {
	sum := [4]int{}
	for seat := range players {
		sum[seat] = points(game.taken[seat])
	}
	return sum
}

func (game *Game) score() [4]int {
	score := game.pointsTaken()
	for seat, all := range score {
		if all == 26 {
			score = [4]int{26, 26, 26, 26}
			score[seat] = 0
			break
		}
	}
	return score
}

func (game *Game) totalsNow() [4]int {
	totals := game.totals
	if game.isOver() {
		for seat, points := range game.score() {
			totals[seat] += points
		}
	}
	return totals
}

func (game *Game) passAll(packets [][]string) error {
	if !game.passing {
		return errRefused
	}
	for seat, packet := range packets {
		if len(packet) != 3 {
			return errRefused
		}
		for _, card := range packet {
			if !slices.Contains(game.hands[seat], card) {
				return errRefused
			}
		}
	}
	for seat, packet := range packets {
		for _, card := range packet {
			at := slices.Index(game.hands[seat], card)
			game.hands[seat] = slices.Delete(game.hands[seat], at, at+1)
		}
	}
	step := map[int]int{1: 1, 2: 3, 3: 2}[game.setup.Deal%4]
	for seat, packet := range packets {
		to := (seat + step) % 4
		game.hands[to] = append(game.hands[to], packet...)
	}
	game.passing = false
	game.findLeader()
	return nil
}

func (game *Game) allowed() []string {
	cards := slices.Clone(game.hands[game.turn])
	first := game.tricks == [4]int{}
	if len(game.table) == 0 && first {
		return []string{"2C"}
	}
	keep := func(wanted func(string) bool) {
		var kept []string
		for _, card := range cards {
			if wanted(card) {
				kept = append(kept, card)
			}
		}
		if len(kept) > 0 {
			cards = kept
		}
	}
	if len(game.table) > 0 {
		keep(func(card string) bool { return suit(card) == suit(game.table[0]) })
	} else if !game.broken {
		keep(func(card string) bool { return suit(card) != 'H' })
	}
	if first {
		keep(func(card string) bool { return points([]string{card}) == 0 })
	}
	return cards
}

func (game *Game) play(seat int, card string) (bool, error) {
	if game.passing || game.isOver() || seat != game.turn {
		return false, errRefused
	}
	if !slices.Contains(game.allowed(), card) {
		return false, errRefused
	}
	at := slices.Index(game.hands[seat], card)
	game.hands[seat] = slices.Delete(game.hands[seat], at, at+1)
	game.table = append(game.table, card)
	game.broken = game.broken || suit(card) == 'H'
	game.turn = (seat + 1) % 4
	if len(game.table) < 4 {
		return false, nil
	}
	best := 0
	for at, other := range game.table {
		higher := strings.IndexByte(order, other[0]) > strings.IndexByte(order, game.table[best][0])
		if suit(other) == suit(game.table[0]) && higher {
			best = at
		}
	}
	game.turn = (game.turn + best) % 4
	game.taken[game.turn] = append(game.taken[game.turn], game.table...)
	game.tricks[game.turn]++
	game.table = nil
	return false, nil
}

func (game *Game) other(seat int, act Act) error {
	if _, claims := act["claim"]; claims {
		panic(fmt.Sprintf("seat %d \"claims\"\x01", seat))
	}
	return errRefused
}

func (game *Game) observe() (map[string]any, error) {
	hands, taken := [4]string{}, [4]string{}
	for seat := range players {
		hands[seat] = strings.Join(game.hands[seat], " ")
		taken[seat] = strings.Join(game.taken[seat], " ")
	}
	found := map[string]any{"hands": hands, "taken": taken, "tricks": game.tricks,
		"points": game.pointsTaken(), "hearts_broken": game.broken}
	if !game.isOver() {
		return found, nil
	}
	totals := game.totalsNow()
	match := map[string]any{"over": game.matchIsOver()}
	if game.matchIsOver() {
		winners := []int{}
		for seat, total := range totals {
			if total == slices.Min(totals[:]) {
				winners = append(winners, seat)
			}
		}
		match["winners"] = winners
	}
	found["score"], found["totals"], found["match"] = game.score(), totals, match
	return found, nil
}

package shop

// Product is something that the shop sells.
type Product struct {
	Name, Note string
	// Cents is the price.
	Cents int
	// Tint and Art are the colour and the name of its picture.
	Tint, Art string
	// InCart is how many lie in the cart.
	InCart int
}

// Products is everything that the shop sells.
var Products = []Product{
	{Name: "Stoneware kettle", Note: "1.2 l, matt glaze", Cents: 6400, Tint: "clay", Art: "kettle", InCart: 1},
	{Name: "First flush Darjeeling", Note: "Spring harvest, 100 g", Cents: 1850, Tint: "leaf", Art: "leaf", InCart: 2},
	{Name: "Beech whisk", Note: "Carved by hand", Cents: 1200, Tint: "sand", Art: "whisk"},
	{Name: "Celadon cup", Note: "Pair, 180 ml", Cents: 2900, Tint: "mist", Art: "cup", InCart: 1},
	{Name: "Oolong tasting box", Note: "Six gardens, 6 × 15 g", Cents: 3400, Tint: "plum", Art: "box"},
	{Name: "Linen tea towel", Note: "Stone washed", Cents: 1400, Tint: "dusk", Art: "towel"},
}

// Order is what lies in the cart.
type Order struct {
	Lines []Product
	Items int
	Cents int
}

// Cart returns the cart as every visitor finds it.
func Cart() Order {
	var o Order
	for _, p := range Products {
		if p.InCart > 0 {
			o.Lines = append(o.Lines, p)
			o.Items += p.InCart
			o.Cents += p.InCart * p.Cents
		}
	}
	return o
}

// Sum is the price of a line.
func (p Product) Sum() int { return p.InCart * p.Cents }

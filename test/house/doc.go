// Package house checks the rules that hold for the whole repository: which
// package may import which, that each says what it is for, that every module
// stands alone, and that no file speaks of anything but the product.
package house
